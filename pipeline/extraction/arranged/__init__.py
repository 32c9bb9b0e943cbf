"""How text is arranged on a page beside the forms: columns, answers, mails, running titles, text boxes."""
