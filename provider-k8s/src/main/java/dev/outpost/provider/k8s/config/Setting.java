package dev.outpost.provider.k8s.config;

import io.smallrye.config.WithDefault;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One thing that can be set, as a method of {@link KubernetesConfig} says it.
 *
 * @param name without the prefix; what is said of one GPU has a {@code *} in the place of the GPU's name
 * @param names the names without the prefix that mean it
 * @param method the method that gives its value
 * @param type of the value, or of its elements when it is a list
 * @param isOptional whether it may be set to nothing
 * @param isList whether there may be several values
 * @param standard what holds where it is not said
 */
record Setting(
        String name,
        Pattern names,
        Method method,
        Class<?> type,
        boolean isOptional,
        boolean isList,
        Optional<String> standard) {
    private static final Pattern CAPITAL = Pattern.compile("(?=[A-Z])");
    private static final String ANY_GPU = "\\.(\"[^\"]+\"|[^.\"]+)\\.";

    private static final List<Setting> ALL = of("", KubernetesConfig.class).toList();

    /** All there are, by name. */
    static List<Setting> all() {
        return ALL;
    }

    private static Stream<Setting> of(String prefix, Class<?> group) {
        return Arrays.stream(group.getMethods())
                .flatMap(method -> of(prefix + name(method), method))
                .sorted((left, right) -> left.name.compareTo(right.name));
    }

    private static Stream<Setting> of(String name, Method method) {
        return method.getReturnType() == Map.class
                ? of(name + ".*.", (Class<?>) argument(method.getGenericReturnType(), 1))
                : Stream.of(leaf(name, method));
    }

    private static Setting leaf(String name, Method method) {
        Type type = method.getGenericReturnType();
        boolean isOptional = method.getReturnType() == Optional.class;
        Type value = isOptional ? argument(type, 0) : type;
        boolean isList = value instanceof ParameterizedType;
        Class<?> element = (Class<?>) (isList ? argument(value, 0) : value);
        Optional<String> standard =
                Optional.ofNullable(method.getAnnotation(WithDefault.class)).map(WithDefault::value);
        return new Setting(name, names(name, isList), method, element, isOptional, isList, standard);
    }

    private static Pattern names(String name, boolean isList) {
        return Pattern.compile(name.replace(".*.", ANY_GPU) + (isList ? "(\\[\\d+])?" : ""));
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }

    private static String name(Method method) {
        return CAPITAL.matcher(method.getName()).replaceAll("-").toLowerCase(Locale.ROOT);
    }

    /** Whether a name without the prefix means this setting. */
    boolean isCalled(String candidate) {
        return names.matcher(candidate).matches();
    }
}
