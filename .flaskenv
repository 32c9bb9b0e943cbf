# Read by every `flask` command that is given in this folder, so that none needs `--app`.
FLASK_APP=flask_app
