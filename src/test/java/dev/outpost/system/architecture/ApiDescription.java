package dev.outpost.system.architecture;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The visible members of a type, one line for each public or protected one: names of parameters, type arguments, nullness, deprecation.
 * Types have their simple names; {@link #mentioned} are the types in a member's signature.
 */
final class ApiDescription {
    private final Set<Class<?>> mentioned = new LinkedHashSet<>();

    /** All types in the signatures of the members. */
    Set<Class<?>> mentioned() {
        return mentioned;
    }

    static boolean isVisible(Class<?> type) {
        boolean isShown = isVisible(type.getModifiers());
        return isShown && (type.getDeclaringClass() == null || isVisible(type.getDeclaringClass()));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    String describe(Class<?> type) {
        List<String> lines = new ArrayList<>();
        lines.add(header(type));
        members(type).forEach(line -> lines.add("    " + line));
        return String.join("\n", lines) + "\n";
    }

    private String header(Class<?> type) {
        StringBuilder text = new StringBuilder(deprecation(type));
        text.append(modifiers(type)).append(kind(type)).append(' ').append(fullName(type));
        text.append(typeParameters(type.getTypeParameters()));
        if (type.isRecord()) {
            text.append(Arrays.stream(type.getRecordComponents())
                    .map(component -> type(component.getAnnotatedType()) + " " + component.getName())
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        AnnotatedType above = type.getAnnotatedSuperclass();
        if (above != null
                && isVisible(type.getSuperclass())
                && !isInternal(type.getSuperclass())
                && !List.of(Object.class, Record.class).contains(type.getSuperclass())
                && !type.isEnum()) {
            text.append(" extends ").append(type(above));
        }
        String interfaces =
                Arrays.stream(type.getAnnotatedInterfaces()).map(this::type).collect(Collectors.joining(", "));
        text.append(interfaces.isEmpty() ? "" : (type.isInterface() ? " extends " : " implements ") + interfaces);
        return text.toString();
    }

    private static String fullName(Class<?> type) {
        return type.getDeclaringClass() == null
                ? type.getSimpleName()
                : fullName(type.getDeclaringClass()) + "." + type.getSimpleName();
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "@interface";
        }
        if (type.isInterface()) {
            return "interface";
        }
        return type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private static String modifiers(Class<?> type) {
        int hidden = Modifier.PUBLIC | Modifier.STATIC | Modifier.STRICT;
        boolean isPlainClass = !type.isInterface() && !type.isEnum() && !type.isRecord();
        int shown = type.getModifiers() & ~hidden & (isPlainClass ? ~0 : ~(Modifier.ABSTRACT | Modifier.FINAL));
        String modifiers = Modifier.toString(shown & ~Modifier.INTERFACE);
        return (modifiers.isEmpty() ? "" : modifiers + " ") + (type.isSealed() ? "sealed " : "");
    }

    // ---- members

    private List<String> members(Class<?> type) {
        List<String> lines = new ArrayList<>();
        if (type.isEnum()) {
            Arrays.stream(type.getEnumConstants())
                    .map(constant -> ((Enum<?>) constant).name())
                    .forEach(lines::add);
        }
        shown(all(type, Class::getDeclaredFields), field -> !field.isEnumConstant())
                .sorted(Comparator.comparing(Field::getName))
                .map(this::field)
                .forEach(lines::add);
        shown(Arrays.stream(type.getDeclaredConstructors()), constructor -> !isCanonical(type, constructor))
                .map(this::constructor)
                .sorted()
                .forEach(lines::add);
        shown(all(type, Class::getDeclaredMethods), method -> !isImplied(type, method) && !isOfCore(type, method))
                .map(method -> method.getName() + "\0" + method(method))
                .sorted()
                .map(line -> line.substring(line.indexOf('\0') + 1))
                .forEach(lines::add);
        return lines;
    }

    /** The members of a type, and those that it inherits from classes that are not visible. */
    private static <M extends Member> Stream<M> all(Class<?> type, Function<Class<?>, M[]> members) {
        return Stream.<Class<?>>iterate(
                        type, each -> each != null && (each == type || !isVisible(each)), Class::getSuperclass)
                .flatMap(each -> Arrays.stream(members.apply(each)));
    }

    private static <M extends Member> Stream<M> shown(Stream<M> members, Predicate<M> condition) {
        return members.filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .filter(condition);
    }

    private static boolean isCanonical(Class<?> type, Constructor<?> constructor) {
        return type.isRecord()
                && Arrays.equals(
                        constructor.getParameterTypes(),
                        Arrays.stream(type.getRecordComponents())
                                .map(RecordComponent::getType)
                                .toArray());
    }

    private static boolean isInternal(Class<?> type) {
        return type.getPackageName().startsWith("dev.outpost.internal");
    }

    /** Returns true if a method implements one of a superclass that users do not import. */
    private static boolean isOfCore(Class<?> type, Method method) {
        return Modifier.isProtected(method.getModifiers())
                && type.getSuperclass() != null
                && isInternal(type.getSuperclass());
    }

    /** The methods that every object, record or enum has. */
    private static boolean isImplied(Class<?> type, Method method) {
        boolean isObjects = Stream.of("equals", "hashCode", "toString").anyMatch(method.getName()::equals)
                && (method.getParameterCount() == 0 || method.getName().equals("equals"));
        boolean isEnums = type.isEnum()
                && Modifier.isStatic(method.getModifiers())
                && (method.getName().equals("values") || method.getName().equals("valueOf"));
        boolean isComponent = type.isRecord()
                && Arrays.stream(type.getRecordComponents())
                        .anyMatch(component -> component.getAccessor().equals(method));
        return isObjects || isEnums || isComponent;
    }

    private String field(Field field) {
        return deprecation(field) + modifiers(field.getModifiers() & ~Modifier.TRANSIENT & ~Modifier.VOLATILE)
                + type(field.getAnnotatedType()) + " " + field.getName();
    }

    private String constructor(Constructor<?> constructor) {
        return deprecation(constructor)
                + modifiers(constructor.getModifiers())
                + constructor.getDeclaringClass().getSimpleName()
                + parameters(constructor)
                + exceptions(constructor);
    }

    private String method(Method method) {
        boolean isOfInterface = method.getDeclaringClass().isInterface();
        int hidden = Modifier.SYNCHRONIZED | Modifier.NATIVE | (isOfInterface ? Modifier.ABSTRACT : 0);
        return deprecation(method) + (method.isDefault() ? "default " : "")
                + modifiers(method.getModifiers() & ~hidden & Modifier.methodModifiers())
                + typeParameters(method.getTypeParameters()).transform(text -> text.isEmpty() ? "" : text + " ")
                + type(method.getAnnotatedReturnType()) + " " + method.getName() + parameters(method)
                + exceptions(method);
    }

    private static String deprecation(AnnotatedElement element) {
        return element.isAnnotationPresent(Deprecated.class) ? "@Deprecated " : "";
    }

    private static String modifiers(int modifiers) {
        String text = Modifier.toString(modifiers & ~Modifier.PUBLIC);
        return text.isEmpty() ? "" : text + " ";
    }

    private String parameters(Executable executable) {
        List<String> texts = new ArrayList<>();
        Parameter[] parameters = executable.getParameters();
        for (Parameter parameter : parameters) {
            String type = type(parameter.getAnnotatedType());
            texts.add((parameter.isVarArgs() ? type.substring(0, type.length() - 2) + "..." : type) + " "
                    + parameter.getName());
        }
        return "(" + String.join(", ", texts) + ")";
    }

    private String exceptions(Executable executable) {
        String thrown = Arrays.stream(executable.getAnnotatedExceptionTypes())
                .map(this::type)
                .sorted()
                .collect(Collectors.joining(", "));
        return thrown.isEmpty() ? "" : " throws " + thrown;
    }

    // ---- types

    private String typeParameters(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables).map(this::typeParameter).collect(Collectors.joining(", ", "<", ">"));
    }

    private String typeParameter(TypeVariable<?> variable) {
        String bounds = Arrays.stream(variable.getAnnotatedBounds())
                .filter(bound -> bound.getType() != Object.class || isNullable(bound))
                .map(this::type)
                .collect(Collectors.joining(" & "));
        return variable.getName() + (bounds.isEmpty() ? "" : " extends " + bounds);
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private String type(@Nullable AnnotatedType annotated) {
        AnnotatedType type = Objects.requireNonNull(annotated);
        if (type instanceof AnnotatedArrayType array) {
            String nullable = isNullable(array) ? " @Nullable " : "";
            return type(array.getAnnotatedGenericComponentType()) + nullable + "[]";
        }
        return (isNullable(type) ? "@Nullable " : "") + unannotated(type);
    }

    private String unannotated(AnnotatedType type) {
        return switch (type) {
            case AnnotatedParameterizedType generic -> {
                Class<?> raw = (Class<?>) ((ParameterizedType) generic.getType()).getRawType();
                yield name(raw)
                        + Arrays.stream(generic.getAnnotatedActualTypeArguments())
                                .map(this::type)
                                .collect(Collectors.joining(", ", "<", ">"));
            }
            case AnnotatedTypeVariable variable -> ((TypeVariable<?>) variable.getType()).getName();
            case AnnotatedWildcardType wildcard -> wildcard(wildcard);
            default -> name((Class<?>) type.getType());
        };
    }

    private String wildcard(AnnotatedWildcardType wildcard) {
        if (wildcard.getAnnotatedLowerBounds().length > 0) {
            return "? super " + type(wildcard.getAnnotatedLowerBounds()[0]);
        }
        AnnotatedType upper = wildcard.getAnnotatedUpperBounds()[0];
        return upper.getType() == Object.class ? "?" : "? extends " + type(upper);
    }

    private String name(Class<?> type) {
        mentioned.add(type);
        return fullName(type);
    }

    /** The types of a package, each followed by its nested types. */
    static List<Class<?>> sorted(Stream<Class<?>> types) {
        return List.copyOf(types.filter(ApiDescription::isVisible)
                .collect(Collectors.toCollection(() -> new TreeSet<>(Comparator.comparing(Class::getName)))));
    }
}
