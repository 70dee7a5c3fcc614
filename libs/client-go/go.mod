module carecover.example/carecover

go 1.24
