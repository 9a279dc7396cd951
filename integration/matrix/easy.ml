(* ocurl: URL BODY [LIMIT]. *)
let left = ref (if Array.length Sys.argv > 3 then int_of_string Sys.argv.(3)
                else max_int)

let take bytes =
  let count = min !left (String.length bytes) in
  print_string (String.sub bytes 0 count);
  left := !left - count;
  if !left = 0 then 0 else String.length bytes

let () =
  let curl = Curl.init () in
  Curl.set_url curl Sys.argv.(1);
  if Sys.argv.(2) <> "" then Curl.set_postfields curl Sys.argv.(2);
  Curl.set_writefunction curl take;
  let code =
    try Curl.perform curl; 0
    with Curl.CurlException (_, code, _) -> code in
  flush stdout;
  exit code
