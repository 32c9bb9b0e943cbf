"""The wire format of the API: operations, versions, problems and the OpenAPI document."""
