package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.restassured.response.ValidatableResponse;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values beyond their bounds are refused while a body is read, before anything is computed with them. */
class BoundsTest {
    /** The types whose values are bounded by nature or by {@link BoundedJson}. */
    private static final Set<Class<?>> BOUNDED = Set.of(
            String.class,
            Boolean.class,
            boolean.class,
            Integer.class,
            int.class,
            Long.class,
            long.class,
            Double.class,
            BigDecimal.class,
            Duration.class,
            Instant.class,
            UUID.class,
            byte[].class);

    private final ObjectMapper mapper = new ObjectMapper().registerModule(new JavaTimeModule());

    BoundsTest() {
        new BoundedJson().customize(mapper);
    }

    private record Values(
            BigDecimal decimal, Long number, Duration span, Instant time, String text, List<String> texts) {}

    private Throwable refusal(String json) {
        return assertThrows(JsonProcessingException.class, () -> mapper.readValue(json, Values.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"decimal\": 1e-300000000}",
                "{\"decimal\": 1e300000000}",
                "{\"decimal\": \"1e-300000000\"}",
                "{\"decimal\": 1e20}",
                "{\"decimal\": 0.0000000000000000001}",
                "{\"number\": 9007199254740992}",
                "{\"number\": -9007199254740992}",
                "{\"number\": 1e300000000}",
                "{\"span\": 1e300000000}",
                "{\"span\": 1e-300000000}",
                "{\"span\": \"PT2562047788015215H\"}",
                "{\"span\": \"-PT2562047788015215H\"}",
                "{\"span\": \"PT-9223372036854775808S\"}",
                "{\"time\": 1e300000000}",
                "{\"time\": \"+1000000000-12-31T23:59:59Z\"}",
                "{\"time\": \"-1000000000-01-01T00:00:00Z\"}"
            })
    void valueBeyondItsBoundNamesWhatWasExpected(String json) {
        Throwable refused = refusal(json);
        BoundedJson.OutOfBounds beyond = assertInstanceOf(BoundedJson.OutOfBounds.class, refused);
        assertTrue(beyond.getOriginalMessage().startsWith("expected "), beyond::getOriginalMessage);
    }

    /** Reads a body as a tree, which refuses nothing else. */
    private void assertLargest(IntFunction<String> json, int max) {
        assertDoesNotThrow(() -> mapper.readTree(json.apply(max)));
        assertThrows(StreamConstraintsException.class, () -> mapper.readTree(json.apply(max + 1)));
    }

    @Test
    void longTextsNumbersAndDeepBodiesAreRefused() {
        assertLargest(length -> "{\"text\": \"" + "x".repeat(length) + "\"}", Bounds.TEXT);
        assertLargest(length -> "{\"decimal\": " + "1".repeat(length) + "}", Bounds.NUMBER);
        assertLargest(length -> "{\"" + "x".repeat(length) + "\": 1}", Bounds.FIELD);
        assertLargest(levels -> "[".repeat(levels) + "]".repeat(levels), Bounds.DEPTH);
        assertLargest(tokens -> "[" + "1,".repeat(tokens - 3) + "1]", Bounds.TOKENS);
    }

    @Test
    void valuesWithinTheirBoundsAreReadExactly() throws JsonProcessingException {
        Values read = mapper.readValue("""
                {"decimal": 1.25, "number": 9007199254740991, "span": "PT876600H",
                 "time": "9999-12-31T23:59:59Z", "text": "x", "texts": []}""", Values.class);
        assertEquals(new BigDecimal("1.25"), read.decimal());
        assertEquals(9_007_199_254_740_991L, read.number());
        assertEquals(Duration.ofDays(36_525), read.span());
        assertEquals(
                new BigDecimal("1E+3"),
                mapper.readValue("{\"decimal\": 1e3}", Values.class).decimal());
    }

    /** A type that is not listed above needs a deserializer with a bound. */
    @Test
    void everyTypeOfABodyHasABound() {
        Set<String> unbounded = new TreeSet<>();
        RequiresScopeTest.calls().flatMap(BoundsTest::bodies).forEach(type -> walk(type, unbounded));
        assertEquals(Set.of(), unbounded);
    }

    private static Stream<Type> bodies(Method call) {
        return Stream.of(call.getParameters()).filter(BoundsTest::isBody).map(Parameter::getParameterizedType);
    }

    private static boolean isBody(Parameter parameter) {
        return Stream.of(
                        QueryParam.class,
                        PathParam.class,
                        HeaderParam.class,
                        BeanParam.class,
                        jakarta.ws.rs.core.Context.class)
                .noneMatch(parameter::isAnnotationPresent);
    }

    private static void walk(Type type, Set<String> unbounded) {
        if (type instanceof ParameterizedType generic
                && Set.of(List.class, Map.class).contains(generic.getRawType())) {
            Stream.of(generic.getActualTypeArguments()).forEach(part -> walk(part, unbounded));
        } else if (type instanceof Class<?> record && record.isRecord()) {
            Stream.of(record.getRecordComponents())
                    .map(RecordComponent::getGenericType)
                    .forEach(part -> walk(part, unbounded));
        } else if (!(type instanceof Class<?> known && (BOUNDED.contains(known) || known.isEnum()))) {
            unbounded.add(type.getTypeName());
        }
    }

    /** Each of these twelve characters kept the backend busy for minutes. */
    @Test
    void aShortNumberDoesNotStopTheBackend() {
        Tenant tenant = Tenant.create();
        refused(
                tenant.request()
                        .body("{\"period\": \"DAY\", \"cap\": 1e-300000000}")
                        .put("/v1/budgets")
                        .then(),
                "cap");
        Tenant operator = Tenant.operator();
        refused(
                operator.request()
                        .body("{\"gpu\": \"L4\", \"perHour\": 1e-300000000}")
                        .put("/v1/prices")
                        .then(),
                "perHour");
        refused(
                operator.request()
                        .body("{\"model\": \"m\", \"perMillionNew\": 1e-300000000}")
                        .put("/v1/token-prices")
                        .then(),
                "perMillionNew");
        tenant.get("/v1/budgets").statusCode(200);
    }

    private static void refused(ValidatableResponse answer, String field) {
        answer.statusCode(422)
                .body("code", org.hamcrest.Matchers.equalTo("invalid"))
                .body("detail", org.hamcrest.Matchers.startsWith(field + ": expected a decimal number"));
    }

    @Test
    void descriptionOfTheApiListsTheBounds() {
        Tenant.operator()
                .get("/q/openapi?format=json")
                .body("info.description", org.hamcrest.Matchers.containsString(Bounds.table()));
    }
}
