package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.rest.Page;
import dev.outpost.rest.client.BackendJson;
import dev.outpost.rest.client.MachinesApi;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients and the server write and read the same JSON for each record of the API. */
@Tag("quick")
class RestRecordsTest {
    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
            Map.entry(String.class, "a text"),
            Map.entry(int.class, 7),
            Map.entry(Integer.class, 7),
            Map.entry(long.class, 1L << 40),
            Map.entry(Long.class, 1L << 40),
            Map.entry(double.class, 0.25),
            Map.entry(Double.class, 0.25),
            Map.entry(boolean.class, true),
            Map.entry(Boolean.class, true),
            Map.entry(BigDecimal.class, new BigDecimal("12.345678901")),
            Map.entry(UUID.class, UUID.fromString("6f1c2a52-8f0e-4a53-9d2b-0a3a4f1f0001")),
            Map.entry(Instant.class, Instant.parse("2026-01-31T10:20:30.123456Z")),
            Map.entry(Duration.class, Duration.parse("PT1H30M0.5S")),
            Map.entry(LocalDate.class, LocalDate.parse("2026-01-31")),
            Map.entry(Object.class, "any"));

    private final ObjectMapper client = BackendJson.mapper();
    private final ObjectMapper server = server();

    /** As {@code application.properties} and {@link BoundedJson} configure it. */
    private static ObjectMapper server() {
        ObjectMapper mapper = JsonMapper.builder()
                .findAndAddModules()
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .build();
        new BoundedJson().customize(mapper);
        return mapper;
    }

    static List<Class<?>> records() throws Exception {
        Path root = Path.of(
                Page.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(root.resolve("dev/outpost/rest"))) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .<Class<?>>map(RestRecordsTest::load)
                    .filter(type -> type.isRecord() && !type.getPackage().equals(MachinesApi.class.getPackage()))
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

    @ParameterizedTest
    @MethodSource("records")
    void bothEndsWriteAndReadTheSame(Class<?> type) throws IOException {
        Object full = sample(type, true);
        assertEquals(full, client.readValue(server.writeValueAsString(full), type));
        assertEquals(full, server.readValue(client.writeValueAsString(full), type));
        assertEquals(server.valueToTree(full), client.<ObjectNode>valueToTree(full));
    }

    /** A component that is null in the client's record is null in the server's record. */
    @ParameterizedTest
    @MethodSource("records")
    void absentValuesStayAbsent(Class<?> type) throws IOException {
        Object sparse = sample(type, false);
        assertEquals(sparse, server.readValue(client.writeValueAsString(sparse), type));
    }

    /** Otherwise a client would go on with null, and fail later for another reason. */
    @ParameterizedTest
    @MethodSource("records")
    void clientNamesTheFieldThatAnAnswerLacks(Class<?> type) throws JsonProcessingException {
        for (RecordComponent field : type.getRecordComponents()) {
            ObjectNode absent = client.valueToTree(sample(type, true));
            absent.remove(field.getName());
            ObjectNode empty = client.valueToTree(sample(type, true));
            empty.putNull(field.getName());
            if (field.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                client.readValue(absent.toString(), type);
                client.readValue(empty.toString(), type);
            } else {
                assertNames(field, assertRefused(absent, type));
                if (!field.getType().isEnum()) {
                    assertNames(field, assertRefused(empty, type));
                }
            }
        }
    }

    private JsonMappingException assertRefused(ObjectNode json, Class<?> type) {
        return assertThrows(JsonMappingException.class, () -> client.readValue(json.toString(), type), json::toString);
    }

    private static void assertNames(RecordComponent field, JsonMappingException failure) {
        assertEquals(field.getName(), failure.getPath().getFirst().getFieldName(), failure.getMessage());
    }

    /** The items of a page have no type here. */
    @ParameterizedTest
    @MethodSource("records")
    void clientRefusesNullInLists(Class<?> type) {
        for (RecordComponent field : type.getRecordComponents()) {
            ObjectNode json = client.valueToTree(sample(type, true));
            if (field.getType() == List.class && !contentIsEnum(field) && type != Page.class) {
                json.withArray(field.getName()).addNull();
                assertEquals(
                        field.getName(),
                        assertRefused(json, type).getPath().getFirst().getFieldName());
            }
        }
    }

    private static boolean contentIsEnum(RecordComponent list) {
        return list.getGenericType() instanceof ParameterizedType of
                && of.getActualTypeArguments()[0] instanceof Class<?> content
                && content.isEnum();
    }

    /** A newer backend may send other values. */
    @ParameterizedTest
    @MethodSource("records")
    void clientReadsUnknownValuesOfEnums(Class<?> type) throws Exception {
        for (RecordComponent field : type.getRecordComponents()) {
            ObjectNode json = client.valueToTree(sample(type, true));
            if (field.getType().isEnum()) {
                json.put(field.getName(), "VALUE_OF_THE_FUTURE");
                assertNull(field.getAccessor().invoke(client.readValue(json.toString(), type)), field::toString);
            } else if (field.getType() == List.class && contentIsEnum(field)) {
                json.withArray(field.getName()).insert(0, "VALUE_OF_THE_FUTURE");
                assertEquals(sample(type, true), client.readValue(json.toString(), type));
            }
        }
    }

    /** A newer backend may add fields to its answers. In a request, an unknown field is a mistake of the caller. */
    @ParameterizedTest
    @MethodSource("records")
    void unknownFieldsAreIgnoredByClientsAndRefusedByTheServer(Class<?> type) throws JsonProcessingException {
        ObjectNode json = client.valueToTree(sample(type, true));
        String more = json.put("fieldOfTheFuture", 1).toString();
        assertEquals(sample(type, true), client.readValue(more, type));
        assertThrows(UnrecognizedPropertyException.class, () -> server.readValue(more, type));
    }

    private static Object sample(Class<?> type, boolean isFull) {
        try {
            RecordComponent[] components = type.getRecordComponents();
            assertTrue(components.length > 0, type::getName);
            Object[] values = Arrays.stream(components)
                    .map(component ->
                            isFull || component.getType().isPrimitive() ? value(component.getGenericType()) : null)
                    .toArray();
            var constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException failure) {
            throw new AssertionError(type.getName(), failure);
        }
    }

    private static Object value(Type type) {
        return switch (type) {
            case Class<?> known when SAMPLES.containsKey(known) -> SAMPLES.get(known);
            case Class<?> constants when constants.isEnum() -> constants.getEnumConstants()[0];
            case Class<?> nested when nested.isRecord() -> sample(nested, true);
            case ParameterizedType list
            when list.getRawType() == List.class -> List.of(value(list.getActualTypeArguments()[0]));
            case ParameterizedType map
            when map.getRawType() == Map.class -> Map.of("key", value(map.getActualTypeArguments()[1]));
            case java.lang.reflect.TypeVariable<?> item -> "an item";
            default -> throw new AssertionError("no sample of " + type);
        };
    }
}
