package dev.outpost.bench.backend;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** A hub on loopback with one repository, {@code outpost/model}, which serves the files of a folder. */
final class LocalHub implements AutoCloseable {
    /** The URI that machines load. */
    static final String MODEL = "hf://outpost/model";

    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    private static final String FILES = "/outpost/model/resolve/" + COMMIT + "/";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpServer server;
    private final Path folder;
    private final byte[] tree;

    private LocalHub(HttpServer server, Path folder, byte[] tree) {
        this.server = server;
        this.folder = folder;
        this.tree = tree;
    }

    static LocalHub start(Path folder) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        LocalHub hub = new LocalHub(server, folder, tree(folder));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", hub::answer);
        server.start();
        return hub;
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static byte[] tree(Path folder) throws IOException {
        ArrayNode entries = MAPPER.createArrayNode();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                String sha256 = sha256(file);
                ObjectNode entry = entries.addObject()
                        .put("type", "file")
                        .put("oid", sha256.substring(0, 40))
                        .put("size", Files.size(file))
                        .put("path", file.getFileName().toString());
                if (file.toString().endsWith(".safetensors")) {
                    entry.putObject("lfs").put("oid", sha256).put("size", Files.size(file));
                }
            }
        }
        return MAPPER.writeValueAsBytes(entries);
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file);
                DigestInputStream digested = new DigestInputStream(bytes, MessageDigest.getInstance("SHA-256"))) {
            digested.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digested.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith("/api/models/outpost/model/revision/")) {
                send(
                        exchange,
                        200,
                        MAPPER.writeValueAsBytes(MAPPER.createObjectNode().put("sha", COMMIT)));
            } else if (path.equals("/api/models/outpost/model/tree/" + COMMIT)) {
                send(exchange, 200, tree);
            } else if (path.startsWith(FILES)) {
                sendFile(exchange, folder.resolve(path.substring(FILES.length())));
            } else {
                send(exchange, 404, new byte[0]);
            }
        }
    }

    private static void sendFile(HttpExchange exchange, Path file) throws IOException {
        List<String> range = exchange.getRequestHeaders().getOrDefault("Range", List.of());
        long size = Files.size(file);
        String[] ends = range.isEmpty()
                ? new String[] {"0", ""}
                : range.getFirst().substring("bytes=".length()).split("-", 2);
        long from = Long.parseLong(ends[0]);
        long to = ends[1].isEmpty() ? size : Math.min(Long.parseLong(ends[1]) + 1, size);
        exchange.getResponseHeaders().add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + size);
        exchange.sendResponseHeaders(range.isEmpty() ? 200 : 206, to - from);
        try (InputStream bytes = Files.newInputStream(file)) {
            bytes.skipNBytes(from);
            byte[] part = new byte[1 << 18];
            for (long left = to - from; left > 0; ) {
                int count = bytes.read(part, 0, (int) Math.min(part.length, left));
                exchange.getResponseBody().write(part, 0, count);
                left -= count;
            }
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
