# A wrapper script as package managers install them: starts the real server in the background, which ignores end of file,
# and waits for it. The first argument is the interpreter, the second the server.
"$1" "$2" &
echo "server $!"
wait
