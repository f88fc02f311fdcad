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
 * One setting, as a method of {@link KubernetesConfig} declares it.
 *
 * @param name the name without the prefix; a setting of one GPU has a {@code *} in place of the GPU's name
 * @param names the accepted names, without the prefix
 * @param method the method that returns its value
 * @param type the type of the value, or of its elements if it is a list
 * @param isOptional true if it may be empty
 * @param isList true if it may have several values
 * @param standard the default value
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

    /** Returns all settings, by name. */
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

    /** Returns true if a name without the prefix means this setting. */
    boolean isCalled(String candidate) {
        return names.matcher(candidate).matches();
    }
}
