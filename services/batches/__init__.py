"""What people say of a batch: values where its pages give none, when it came, and entries typed in by hand."""
