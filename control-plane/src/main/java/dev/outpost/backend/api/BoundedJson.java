package dev.outpost.backend.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.deser.DurationDeserializer;
import com.fasterxml.jackson.datatype.jsr310.deser.InstantDeserializer;
import dev.outpost.provider.support.Durations;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Reads bodies within {@link Bounds}. A number is checked as text, before it is computed: {@code 1e-300000000} is
 * twelve characters, and adding 1 to it takes minutes.
 */
@Singleton
public final class BoundedJson implements ObjectMapperCustomizer {
    private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,20}(\\.\\d{1,20})?([eE][+-]?\\d{1,2})?");

    /** Thrown for a value beyond its bound; the message names the bound. */
    static final class OutOfBounds extends JsonMappingException {
        private static final long serialVersionUID = 1;

        OutOfBounds(JsonParser parser, String message) {
            super(parser, message);
        }
    }

    /**
     * Runs after Quarkus' own customizer: if there are several deserializers for times, Jackson uses the deserializer
     * that was registered last.
     */
    @Override
    public int priority() {
        return MINIMUM_PRIORITY;
    }

    @Override
    public void customize(ObjectMapper mapper) {
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(Bounds.DEPTH)
                        .maxStringLength(Bounds.TEXT)
                        .maxNameLength(Bounds.FIELD)
                        .maxNumberLength(Bounds.NUMBER)
                        .maxTokenCount(Bounds.TOKENS)
                        .build());
        mapper.registerModule(new SimpleModule("bounds")
                .addDeserializer(BigDecimal.class, new Decimals())
                .addDeserializer(Long.class, longs(Long.class))
                .addDeserializer(Long.TYPE, longs(Long.TYPE))
                .addDeserializer(
                        Duration.class,
                        new Bounded<>(
                                Duration.class,
                                new Spans(),
                                span -> span.compareTo(Bounds.SPAN) <= 0 && span.compareTo(Bounds.SPAN.negated()) >= 0,
                                "a time span of up to " + Bounds.SPAN.toDays() + " days"))
                .addDeserializer(
                        Instant.class,
                        new Bounded<>(
                                Instant.class,
                                InstantDeserializer.INSTANT,
                                time -> !time.isBefore(Bounds.EARLIEST) && !time.isAfter(Bounds.LATEST),
                                "a time from " + Bounds.EARLIEST + " to " + Bounds.LATEST)));
    }

    @SuppressWarnings("unchecked")
    private static JsonDeserializer<Long> longs(Class<Long> type) {
        return new Bounded<>(
                type,
                (JsonDeserializer<Long>) NumberDeserializers.find(type, type.getName()),
                number -> number >= -Bounds.INTEGER && number <= Bounds.INTEGER,
                "a whole number from -" + Bounds.INTEGER + " to " + Bounds.INTEGER);
    }

    /** A deserializer that refuses values beyond a bound. */
    private static final class Bounded<T> extends StdScalarDeserializer<T> {
        private static final long serialVersionUID = 1;

        private final JsonDeserializer<T> inner;
        private final transient Predicate<T> bound;
        private final String expected;

        Bounded(Class<T> type, JsonDeserializer<T> inner, Predicate<T> bound, String expected) {
            super(type);
            this.inner = inner;
            this.bound = bound;
            this.expected = expected;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            requireNumber(parser, expected);
            T value = inner.deserialize(parser, context);
            if (value != null && !bound.test(value)) {
                throw new OutOfBounds(parser, "expected " + expected);
            }
            return value;
        }

        @Override
        public T getNullValue(DeserializationContext context) throws JsonMappingException {
            return inner.getNullValue(context);
        }
    }

    /** Time spans as {@link Durations} reads them, or as a number of seconds. */
    private static final class Spans extends StdScalarDeserializer<Duration> {
        private static final long serialVersionUID = 1;

        Spans() {
            super(Duration.class);
        }

        @Override
        public Duration deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                return DurationDeserializer.INSTANCE.deserialize(parser, context);
            }
            try {
                return Durations.parse(parser.getText());
            } catch (IllegalArgumentException failure) {
                return (Duration)
                        context.handleWeirdStringValue(Duration.class, parser.getText(), failure.getMessage());
            }
        }
    }

    private static final class Decimals extends StdScalarDeserializer<BigDecimal> {
        private static final long serialVersionUID = 1;
        private static final String EXPECTED = "a decimal number of up to " + Bounds.DIGITS
                + " digits before the point and " + Bounds.DIGITS + " behind it";

        Decimals() {
            super(BigDecimal.class);
        }

        @Override
        public BigDecimal deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            JsonToken token = parser.currentToken();
            if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
                return (BigDecimal) context.handleUnexpectedToken(BigDecimal.class, parser);
            }
            String text = parser.getText();
            if (!DECIMAL.matcher(text).matches()) {
                throw new OutOfBounds(parser, "expected " + EXPECTED);
            }
            BigDecimal value = new BigDecimal(text);
            if (value.scale() > Bounds.DIGITS || value.precision() - value.scale() > Bounds.DIGITS) {
                throw new OutOfBounds(parser, "expected " + EXPECTED);
            }
            return value;
        }
    }

    /**
     * Refuses a number with a point or an exponent that is out of bounds, because Jackson would make a BigDecimal of
     * it, also for times.
     */
    private static void requireNumber(JsonParser parser, String expected) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
                && !DECIMAL.matcher(parser.getText()).matches()) {
            throw new OutOfBounds(parser, "expected " + expected);
        }
    }
}
