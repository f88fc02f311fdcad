package dev.outpost.system.lan;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** A hub with one model, {@code org/tiny}, whose files are those of a folder. */
final class TinyHub implements AutoCloseable {
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    private static final String FILES = "/org/tiny/resolve/" + COMMIT + "/";

    private final Path folder;
    private final HttpServer server;
    private final List<String> ranges = new CopyOnWriteArrayList<>();

    TinyHub(Path folder) {
        this.folder = folder;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    /** The variable that names the hub to a runtime. */
    String variable() {
        return "HF_ENDPOINT=http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The parts of files that were read. */
    List<String> ranges() {
        return ranges;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/api/models/org/tiny/revision/main")) {
            send(exchange, 200, "{\"id\":\"org/tiny\",\"sha\":\"" + COMMIT + "\"}");
        } else if (path.equals("/api/models/org/tiny/tree/" + COMMIT)) {
            send(exchange, 200, tree());
        } else if (path.startsWith(FILES)) {
            sendPart(exchange, Files.readAllBytes(folder.resolve(path.substring(FILES.length()))));
        } else {
            send(exchange, 404, "Not Found");
        }
    }

    private String tree() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> "{\"type\":\"file\",\"oid\":\"" + file.getFileName() + "\",\"size\":"
                            + file.toFile().length() + ",\"path\":\"" + file.getFileName() + "\"}")
                    .collect(Collectors.joining(",", "[", "]"));
        }
    }

    private void sendPart(HttpExchange exchange, byte[] bytes) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (range == null) {
            send(exchange, 200, bytes);
            return;
        }
        ranges.add(range);
        String[] ends = range.substring("bytes=".length()).split("-");
        int end = Math.min(Integer.parseInt(ends[1]) + 1, bytes.length);
        exchange.getResponseHeaders().add("Content-Range", "bytes " + ends[0] + "-" + (end - 1) + "/" + bytes.length);
        send(exchange, 206, Arrays.copyOfRange(bytes, Integer.parseInt(ends[0]), end));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        send(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
