-- Invented files of four entries each, ten a batch, a batch a person; `bench.files` says how many.
insert into seasons (id, name, is_current) values (md5('season')::uuid, 'Bench', true);
insert into profiles (id, email, role)
  select md5('owner' || n)::uuid, 'sender-' || n || '@example.org', 'uploader' from generate_series(0, 39) n;
insert into upload_batches (id, season_id, uploaded_by, file_count)
  select md5('batch' || n)::uuid, md5('season')::uuid, md5('owner' || n % 40)::uuid, 10
  from generate_series(0, current_setting('bench.files')::int / 10) n;
insert into uploads (id, season_id, batch_id, uploaded_by, position, original_filename, byte_size, sha256, storage_key,
    status)
  select md5('file' || n)::uuid, md5('season')::uuid, md5('batch' || n / 10)::uuid, md5('owner' || n / 10 % 40)::uuid,
    n % 10, case when n % 3 = 0 then 'grade ' || 1 + n % 12 || ' room ' || n % 90 || ' (' || n || ').pdf'
      else 'scan_' || lpad(n::text, 6, '0') || '.pdf' end,
    1, md5('a' || n) || md5('b' || n), 'originals/' || n, 'split'
  from generate_series(0, current_setting('bench.files')::int) n;
