package dev.outpost.rest.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of clients. Requests omit absent values. Times are texts of ISO 8601.
 *
 * <p>In answers, a field is required unless it is {@link Nullable}: a host must not treat an answer without a list of
 * machines like an empty list. An absent {@link Nullable} list or map is read as an empty one, and null in a list is
 * refused. A newer backend may add fields and enum values: unknown fields are ignored, and an unknown enum value is
 * read as null, or omitted from its list.
 */
public final class BackendJson {
    private BackendJson() {}

    public static ObjectMapper mapper() {
        JsonSetter.Value empty = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);
        return JsonMapper.builder()
                .addModule(times())
                .annotationIntrospector(new RequiredFields())
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
                .withConfigOverride(List.class, lists -> lists.setSetterInfo(empty))
                .withConfigOverride(Map.class, maps -> maps.setSetterInfo(empty))
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
                .build();
    }

    /** The rules for null and absent fields of records. */
    private static final class RequiredFields extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
            if (isFieldOfRecord(member)) {
                return isRequired((AnnotatedParameter) member);
            }
            return super.hasRequiredMarker(member);
        }

        private static boolean isFieldOfRecord(Annotated member) {
            return member instanceof AnnotatedParameter field
                    && field.getDeclaringClass().isRecord();
        }

        private static boolean isRequired(AnnotatedParameter field) {
            RecordComponent component = field.getDeclaringClass().getRecordComponents()[field.getIndex()];
            return !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        }

        /**
         * Treats null like an absent value. Null for an enum is allowed, because unknown enum values are read as
         * null.
         */
        @Override
        public JsonSetter.Value findSetterInfo(Annotated member) {
            if (!isFieldOfRecord(member)) {
                return super.findSetterInfo(member);
            }
            AnnotatedParameter field = (AnnotatedParameter) member;
            JavaType type = field.getType();
            return JsonSetter.Value.construct(
                    isRequired(field) && !type.isEnumType() ? Nulls.FAIL : Nulls.DEFAULT,
                    type.isContainerType() ? contentNulls(type.getContentType()) : Nulls.DEFAULT);
        }

        /** Omits unknown enum values. The body of an event, a map of objects, may contain nulls. */
        private static Nulls contentNulls(JavaType content) {
            if (content.isEnumType()) {
                return Nulls.SKIP;
            }
            return content.isJavaLangObject() ? Nulls.SET : Nulls.DEFAULT;
        }
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
