"""The style sheet of a self-contained HTML file."""

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1c2430; --soft: #5a6473; --line: #cfd6df; --link: #1d4f91;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #14181d; --text: #e6e8eb; --soft: #a3abb7; --line: #3a424d; --link: #8db6f2; }
}
body { margin: 0; background: var(--ground); color: var(--text);
  font: 1.05rem/1.6 Georgia, "Times New Roman", serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1, h2, h3, h4, h5, h6, th, .digest { font-family: system-ui, sans-serif; line-height: 1.25; }
h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
a { color: var(--link); }
a.cite { text-decoration: none; font-size: .85em; }
a.cite:hover, a.cite:focus { text-decoration: underline; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { border: 1px solid var(--line); padding: .4rem .5rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere; }
.digest { color: var(--soft); }
.references { list-style: none; padding: 0; }
.references li { margin: .5rem 0; overflow-wrap: anywhere; }
.references li:target { outline: 2px solid var(--link); }
@media print { body { font-size: 11pt; } main { max-width: none; padding: 0; } }
"""
