package dev.outpost.backend.api;

import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.ext.ParamConverter;
import jakarta.ws.rs.ext.ParamConverterProvider;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Reads query parameters whose values are the constants of an enum. Another value is a {@link Problem} that lists
 * them.
 */
@Provider
public final class EnumParameters implements ParamConverterProvider {
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public <T> ParamConverter<T> getConverter(Class<T> type, Type genericType, Annotation[] annotations) {
        return type.isEnum() ? new Names(type, parameter(annotations)) : null;
    }

    private static String parameter(Annotation[] annotations) {
        return Arrays.stream(annotations)
                .filter(QueryParam.class::isInstance)
                .map(annotation -> ((QueryParam) annotation).value())
                .findFirst()
                .orElse("a parameter");
    }

    /** The names of an enum's constants, with commas between them. */
    static String names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(String::valueOf).collect(Collectors.joining(", "));
    }

    private record Names<E extends Enum<E>>(Class<E> type, String parameter) implements ParamConverter<E> {
        @Override
        public E fromString(String text) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> constant.name().equals(text))
                    .findFirst()
                    .orElseThrow(() ->
                            Problem.invalid(parameter + ": expected one of " + names(type) + ", got another value"));
        }

        @Override
        public String toString(E value) {
            return value.name();
        }
    }
}
