-- Clockwise degrees by which a page was turned to be read; it is shown so.
alter table public.pages
  add column turned integer not null default 0,
  add constraint pages_turned check (turned in (0, 90, 180, 270));
