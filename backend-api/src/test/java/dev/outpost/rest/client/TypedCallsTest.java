package dev.outpost.rest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls of the typed classes, at a server that records requests. */
@Tag("quick")
class TypedCallsTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "backend-api.yaml");
    private static final Pattern PATH = Pattern.compile("  (/v1/\\S+):");
    private static final Pattern METHOD = Pattern.compile("    (get|put|post|delete):");
    private static final Pattern PARAMETER = Pattern.compile("      - name: (\\S+)");

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private BackendClient client;
    private volatile int status = 404;
    private volatile String answer = "{\"code\": \"not-found\", \"detail\": \"it does not exist\"}";

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        client = new BackendClient(new BackendAccess(address, "op_0123456789_0123456789abcdef", Optional.empty()));
    }

    private void handle(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    // ---- answers

    private String refusal(String json) {
        status = 200;
        answer = json;
        BackendException refused =
                assertThrows(BackendException.class, () -> new MachinesApi(client).list(), () -> "read " + json);
        assertEquals("malformed", refused.code());
        return refused.getMessage();
    }

    @Test
    void absentFieldIsNamedWithTheRequest() {
        String text =
                " answered with something that is no backend's: no answer to GET /v1/machines, because %s is absent"
                        + " or malformed";
        assertEquals(client.access().address() + text.formatted("items"), refusal("{}"));
        String id = "\"id\": \"6f1c2a52-8f0e-4a53-9d2b-0a3a4f1f0001\"";
        assertTrue(refusal("{\"items\": [{" + id + "}]}").endsWith(text.formatted("items[0].epoch")));
        assertTrue(refusal("{\"items\": [{\"id\": \"7\"}]}").endsWith(text.formatted("items[0].id")));
        assertTrue(
                refusal("{\"items\": [null]}").endsWith(text.formatted("items[0]")),
                () -> refusal("{\"items\": [null]}"));
        assertTrue(refusal("[]").endsWith("no answer to GET /v1/machines"));
    }

    // ---- requests

    private static List<Class<?>> typedClasses() throws Exception {
        Path classes = Path.of(BackendClient.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve(BackendClient.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(classes)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Api.class"))
                    .<Class<?>>map(
                            name -> load(BackendClient.class.getPackageName() + "." + name.replace(".class", "")))
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException failure) {
            throw new AssertionError(failure);
        }
    }

    private static Object sample(Class<?> type) {
        if (type == int.class) {
            return 7;
        }
        if (type == long.class) {
            return 7L;
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == String.class) {
            return "a";
        }
        if (type == Duration.class) {
            return Duration.ofSeconds(1);
        }
        if (type == byte[].class) {
            return new byte[] {1};
        }
        if (type == Consumer.class) {
            Consumer<Object> reader = page -> {};
            return reader;
        }
        return type.isEnum() ? type.getEnumConstants()[0] : null;
    }

    /** The query parameters of each operation of the document, by its method and path. */
    private static Map<String, Set<String>> operations() throws IOException {
        Map<String, Set<String>> operations = new TreeMap<>();
        String path = "";
        Set<String> parameters = new HashSet<>();
        for (String line : Files.readAllLines(DOCUMENT)) {
            Matcher place = PATH.matcher(line);
            Matcher method = METHOD.matcher(line);
            Matcher parameter = PARAMETER.matcher(line);
            if (place.matches()) {
                path = place.group(1);
            } else if (method.matches()) {
                parameters = new HashSet<>();
                operations.put(method.group(1).toUpperCase(Locale.ROOT) + " " + path, parameters);
            } else if (parameter.matches()) {
                parameters.add(parameter.group(1));
            }
        }
        return operations;
    }

    private static boolean suits(String operation, String request) {
        return request.matches(operation.replaceAll("\\{\\w+}", "[^/:]+"));
    }

    @Test
    void everyCallIsAnOperationOfTheDocument(@TempDir Path folder) throws Exception {
        Map<String, Set<String>> operations = operations();
        int calls = 0;
        for (Class<?> type : typedClasses()) {
            Object api = type.getConstructor(BackendClient.class).newInstance(client);
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !isOfEveryRecord(method)) {
                    Object[] arguments = Arrays.stream(method.getParameterTypes())
                            .map(TypedCallsTest::sample)
                            .toArray();
                    assertThrows(
                            InvocationTargetException.class, () -> method.invoke(api, arguments), method::toString);
                    calls++;
                }
            }
        }
        assertTrue(calls > 50, "only " + calls);
        Path file = Files.writeString(folder.resolve("app.jar"), "x");
        assertThrows(BackendException.class, () -> FileUpload.send(client, file));
        assertThrows(BackendException.class, () -> client.backup(folder.resolve("backup"), received -> {}));
        assertEquals(calls + 2, requests.size());
        for (String request : requests) {
            String[] parts = request.split("\\?", 2);
            List<String> suitable = operations.keySet().stream()
                    .filter(one -> suits(one, parts[0]))
                    .toList();
            assertFalse(suitable.isEmpty(), () -> request + " is in no operation of the document");
            Set<String> names = parts.length == 1
                    ? Set.of()
                    : Arrays.stream(parts[1].split("&"))
                            .map(one -> one.replaceFirst("=.*", ""))
                            .collect(Collectors.toSet());
            assertTrue(
                    suitable.stream().anyMatch(one -> operations.get(one).containsAll(names)),
                    () -> request + " has parameters that are not in the document");
        }
    }

    private static boolean isOfEveryRecord(Method method) {
        return Set.of("client", "equals", "hashCode", "toString").contains(method.getName());
    }
}
