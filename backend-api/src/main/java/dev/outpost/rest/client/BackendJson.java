package dev.outpost.rest.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * JSON as clients write and read it. Absent values are left out of requests. A newer backend may add fields and values of enums: unknown
 * fields are ignored, and an unknown value is read as null. An absent list or map is read as an empty one. Times are texts of ISO 8601.
 */
public final class BackendJson {
    private BackendJson() {}

    public static ObjectMapper mapper() {
        return JsonMapper.builder()
                .addModule(times())
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .withConfigOverride(
                        List.class, lists -> lists.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                .withConfigOverride(
                        Map.class, maps -> maps.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
                .build();
    }

    private static SimpleModule times() {
        SimpleModule module = new SimpleModule("times");
        add(module, Instant.class, Instant::parse);
        add(module, Duration.class, Duration::parse);
        add(module, LocalDate.class, LocalDate::parse);
        return module;
    }

    private static <T> void add(SimpleModule module, Class<T> type, Function<String, T> parse) {
        module.addSerializer(type, ToStringSerializer.instance);
        module.addDeserializer(type, new FromStringDeserializer<>(type) {
            @Override
            protected T _deserialize(String text, DeserializationContext context) {
                return parse.apply(text);
            }
        });
    }
}
