package dev.outpost.system.backend.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.support.tests.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A real Chromium without a window, which is controlled by its DevTools protocol. */
final class Chromium implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final String LISTENING = "DevTools listening on ";

    /** The key codes of Windows, which the protocol requires. */
    private static final Map<String, Integer> KEY_CODES = Map.of("Tab", 9, "Enter", 13, "Escape", 27);

    private final Process process;
    private final WebSocket socket;
    private final Answers answers;
    private final AtomicInteger drawn = new AtomicInteger();
    private String session = "";

    private Chromium(Process process, WebSocket socket, Answers answers) {
        this.process = process;
        this.socket = socket;
        this.answers = answers;
    }

    /** The path of an installed Chromium; empty if there is none. */
    static Optional<Path> installed() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a page with the given size in pixels. */
    static Chromium open(Path program, Path profile, String url, int width, int height) {
        Process process = null;
        try {
            process = new ProcessBuilder(
                            program.toString(),
                            "--headless=new",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-dev-shm-usage",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-background-timer-throttling",
                            "--disable-renderer-backgrounding",
                            "--disable-component-update",
                            "--disable-extensions",
                            "--remote-debugging-port=0",
                            "--window-size=" + width + "," + height,
                            "--user-data-dir=" + profile,
                            "about:blank")
                    .redirectErrorStream(true)
                    .start();
            Answers answers = new Answers();
            String address = addressOf(process);
            WebSocket socket = Await.result(
                    "Chromium takes a connection",
                    HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(address), answers));
            Chromium chromium = new Chromium(process, socket, answers);
            chromium.attach(url);
            return chromium;
        } catch (Exception | Error failure) {
            if (process != null) {
                process.destroyForcibly();
            }
            throw new IllegalStateException("Chromium did not start", failure);
        }
    }

    private static String addressOf(Process process) throws Exception {
        return Await.within("Chromium says where it listens", () -> address(process));
    }

    private static String address(Process process) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(LISTENING)) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(ignored -> {}));
                return line.substring(LISTENING.length()).strip();
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("Chromium did not start:\n" + said);
    }

    private void attach(String url) {
        String target =
                call("Target.createTarget", Map.of("url", url)).path("targetId").asText();
        session = call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        call("Page.enable", Map.of());
    }

    /** Returns the value of a JavaScript expression, and waits for it if it is a promise. */
    JsonNode evaluate(String expression) {
        return value(
                expression,
                call(
                        "Runtime.evaluate",
                        Map.of("expression", expression, "returnByValue", true, "awaitPromise", true)));
    }

    private static JsonNode value(String expression, JsonNode answer) {
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(expression + " failed: " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** Returns true if a JavaScript condition is true; it counts as false while a page is replaced by another one. */
    boolean holds(String condition) {
        JsonNode answer =
                ask("Runtime.evaluate", Map.of("expression", condition, "returnByValue", true, "awaitPromise", true));
        String error = answer.path("error").path("message").asText();
        if (error.contains("context") || error.contains("navigated")) {
            return false;
        }
        return value(condition, resultOf("Runtime.evaluate", answer)).asBoolean();
    }

    /** Shows the page on a screen of the given size, in the dark or the light theme. */
    void emulate(int width, int height, boolean isDark) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        Map<String, String> theme = Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light");
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(theme)));
    }

    /** Presses and releases a key, as {@code KeyboardEvent.key} names it: {@code Tab}, {@code Enter}, {@code Escape}. */
    void press(String key) {
        int code = KEY_CODES.get(key);
        Map<String, Object> down =
                new HashMap<>(Map.of("type", "rawKeyDown", "key", key, "code", key, "windowsVirtualKeyCode", code));
        if (key.equals("Enter")) {
            down.put("type", "keyDown");
            down.put("text", "\r");
        }
        call("Input.dispatchKeyEvent", down);
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", code));
    }

    /** Types a text into the focused element. */
    void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    /** Saves a picture of the page. */
    void screenshot(Path file) {
        byte[] image = Base64.getDecoder()
                .decode(call("Page.captureScreenshot", Map.of("format", "png"))
                        .path("data")
                        .asText());
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, image);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private JsonNode call(String method, Map<String, ?> parameters) {
        return resultOf(method, ask(method, parameters));
    }

    private static JsonNode resultOf(String method, JsonNode answer) {
        if (answer.has("error")) {
            throw new AssertionError(method + ": " + answer.path("error"));
        }
        return answer.path("result");
    }

    private JsonNode ask(String method, Map<String, ?> parameters) {
        int id = drawn.incrementAndGet();
        CompletableFuture<JsonNode> answer = answers.await(id);
        Map<String, Object> message = session.isEmpty()
                ? Map.of("id", id, "method", method, "params", parameters)
                : Map.of("id", id, "method", method, "params", parameters, "sessionId", session);
        try {
            Await.result(method + " is sent", socket.sendText(MAPPER.writeValueAsString(message), true));
            return Await.result("Chromium answers " + method, answer);
        } catch (Exception failure) {
            throw new IllegalStateException(method, failure);
        }
    }

    @Override
    public void close() {
        socket.abort();
        process.destroyForcibly().onExit().join();
    }

    /** The received answers, by the numbers of their calls. */
    private static final class Answers implements WebSocket.Listener {
        private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
        private final StringBuilder text = new StringBuilder();

        CompletableFuture<JsonNode> await(int id) {
            return waiting.computeIfAbsent(id, drawn -> new CompletableFuture<>());
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        private void take(String message) {
            try {
                JsonNode said = MAPPER.readTree(message);
                if (said.has("id")) {
                    await(said.path("id").asInt()).complete(said);
                }
            } catch (JsonProcessingException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
