package dev.outpost.runtime.sources.hub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Answers as the hub does: the API of revisions and trees, small files itself, and large ones by a redirect to a second host,
 * which must not see the token.
 */
final class HubServer implements AutoCloseable {
    static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    static final String TOKEN = "hf_secret_of_the_test";

    private final HttpServer hub = start("127.0.0.1");
    private final HttpServer content = start("127.0.0.2");
    private final Map<String, byte[]> files = new TreeMap<>();
    private final AtomicInteger busy = new AtomicInteger();
    private final List<String> leaks = new CopyOnWriteArrayList<>();
    private final AtomicInteger contentRequests = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile CountDownLatch arrived = new CountDownLatch(0);
    private volatile int truncated;
    private volatile boolean isStalling;
    private volatile boolean isLoginPage;
    private volatile String contentRange;
    private volatile int retryAfter;
    private final CountDownLatch toldBusy = new CountDownLatch(1);

    HubServer() {
        hub.createContext("/", this::answerAsHub);
        content.createContext("/", this::answerContent);
        System.setProperty("hf.endpoint", "http://127.0.0.1:" + hub.getAddress().getPort());
        System.setProperty("hf.token", TOKEN);
    }

    private static HttpServer start(String host) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), 0), 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return server;
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    /** The host that serves large files. */
    String contentHost() {
        return "http://127.0.0.2:" + content.getAddress().getPort();
    }

    HubServer with(String path, byte[] bytes) {
        files.put(path, bytes);
        return this;
    }

    /** Answers the next {@code requests} requests with "too many requests". */
    void busyFor(int requests) {
        busy.set(requests);
    }

    /** Cuts this number of bytes off the parts of large files. */
    void truncateBy(int bytes) {
        truncated = bytes;
    }

    /** Sets the range that answers with a part of a large file state, instead of the right one. */
    void announceRange(String range) {
        contentRange = range;
    }

    /** The seconds that a busy hub asks clients to wait. */
    void retryAfter(int seconds) {
        retryAfter = seconds;
    }

    /** Waits until a client has received the answer that the hub is busy. */
    void awaitBusy() throws InterruptedException {
        Await.opened("a client is told to wait", toldBusy);
    }

    /** Requests in which another host was told the token. */
    List<String> leaks() {
        return leaks;
    }

    private void answerAsHub(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (isLoginPage) {
            send(exchange, 200, "<!DOCTYPE html><html><title>Log in</title></html>");
        } else if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            exchange.getResponseHeaders().add("Retry-After", "" + retryAfter);
            send(exchange, 429, "slow down");
            toldBusy.countDown();
        } else if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            send(exchange, 401, "who are you?");
        } else if (path.equals("/api/models/org/tiny/revision/main")) {
            send(exchange, 200, "{\"id\":\"org/tiny\",\"sha\":\"" + COMMIT + "\"}");
        } else if (path.equals("/api/models/org/tiny/tree/" + COMMIT)) {
            answerTree(exchange);
        } else if (path.startsWith("/org/tiny/resolve/" + COMMIT + "/")) {
            answerFile(exchange, path.substring(("/org/tiny/resolve/" + COMMIT + "/").length()));
        } else {
            send(exchange, 404, "Not Found");
        }
    }

    /** Two entries a page, as the hub has a thousand. */
    private void answerTree(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        int from = query.contains("cursor=") ? Integer.parseInt(query.replaceAll(".*cursor=", "")) : 0;
        List<String> entries = files.entrySet().stream()
                .skip(from)
                .limit(2)
                .map(entry -> entry(entry.getKey(), entry.getValue()))
                .toList();
        if (from + 2 < files.size()) {
            exchange.getResponseHeaders()
                    .add(
                            "Link",
                            "<http://127.0.0.1:" + hub.getAddress().getPort()
                                    + exchange.getRequestURI().getPath() + "?recursive=true&cursor=" + (from + 2)
                                    + ">; rel=\"next\"");
        }
        send(exchange, 200, entries.stream().collect(Collectors.joining(",", "[", "]")));
    }

    private static String entry(String path, byte[] bytes) {
        String large = isLarge(path)
                ? ",\"lfs\":{\"oid\":\"" + sha256(bytes) + "\",\"size\":" + bytes.length + ",\"pointerSize\":134}"
                : "";
        return "{\"type\":\"file\",\"oid\":\"" + Integer.toHexString(Arrays.hashCode(bytes)) + "\",\"size\":"
                + bytes.length + ",\"path\":\"" + path + "\"" + large + "}";
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean isLarge(String path) {
        return path.endsWith(".safetensors");
    }

    private void answerFile(HttpExchange exchange, String path) throws IOException {
        if (!files.containsKey(path)) {
            send(exchange, 404, "Entry not found");
        } else if (isLarge(path)) {
            exchange.getResponseHeaders().add("Location", contentHost() + "/" + path + "?Signature=a-signed-secret");
            send(exchange, 302, "");
        } else {
            sendPart(exchange, files.get(path), 0, null);
        }
    }

    /** Stops large files after their first byte, until {@link #releaseContent}. */
    void stallContent() {
        holdContent();
        isStalling = true;
    }

    /** Answers all requests with a login page. */
    void askForLogin() {
        isLoginPage = true;
    }

    /** Large files wait for {@link #releaseContent}. */
    void holdContent() {
        gate = new CountDownLatch(1);
        arrived = new CountDownLatch(1);
    }

    /** Waits until a request for a large file waits. */
    void awaitContentRequest() throws InterruptedException {
        Await.opened("a request for a large file comes", arrived);
    }

    void releaseContent() {
        isStalling = false;
        gate.countDown();
    }

    /** Returns the number of requests to the host of large files. */
    int contentRequests() {
        return contentRequests.get();
    }

    private void answerContent(HttpExchange exchange) throws IOException {
        contentRequests.incrementAndGet();
        if (isStalling) {
            exchange.sendResponseHeaders(206, 12);
            exchange.getResponseBody().write(0);
            exchange.getResponseBody().flush();
        }
        arrived.countDown();
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
        if (isStalling) {
            exchange.close();
            return;
        }
        if (exchange.getRequestHeaders().containsKey("Authorization")) {
            leaks.add(exchange.getRequestURI().toString());
        }
        sendPart(exchange, files.get(exchange.getRequestURI().getPath().substring(1)), truncated, contentRange);
    }

    private static void sendPart(HttpExchange exchange, byte[] bytes, int missing, String contentRange)
            throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (range == null) {
            send(exchange, 200, bytes);
            return;
        }
        String[] ends = range.substring("bytes=".length()).split("-");
        int end = Math.min(Integer.parseInt(ends[1]) + 1, bytes.length) - missing;
        String told = "bytes " + ends[0] + "-" + (end - 1) + "/" + bytes.length;
        exchange.getResponseHeaders().add("Content-Range", contentRange == null ? told : contentRange);
        send(exchange, 206, Arrays.copyOfRange(bytes, Integer.parseInt(ends[0]), end));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        send(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        System.clearProperty("hf.endpoint");
        System.clearProperty("hf.token");
        System.clearProperty("hf.downloadTimeout");
        gate.countDown();
        hub.stop(0);
        content.stop(0);
    }
}
