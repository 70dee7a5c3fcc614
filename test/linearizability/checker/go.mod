module carecover/linearizability

go 1.26.4

require github.com/anishathalye/porcupine v1.3.1
