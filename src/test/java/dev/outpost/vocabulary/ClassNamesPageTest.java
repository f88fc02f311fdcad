package dev.outpost.vocabulary;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.nn.Module;
import dev.outpost.optim.LBFGS;
import dev.outpost.optim.LearningRateSchedule;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.ReduceLROnPlateau;
import dev.outpost.optim.SWALR;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of classes in docs/from-pytorch.md agrees with the API: all layers, losses, optimizers and schedules, and the names of
 * {@code torch-names.txt}; {@code -Doutpost.names.write=true} writes it.
 */
class ClassNamesPageTest {
    private static final Path PAGE = Path.of("../../docs/from-pytorch.md");
    private static final String BEGIN = "<!-- classes: written by ClassNamesPageTest -->\n";
    private static final String END = "<!-- end of classes -->\n";
    /** Layers and optimizers that PyTorch does not have. */
    private static final Set<String> OURS = Set.of("Lion");

    @Test
    void theTableHasEveryClass() throws IOException, URISyntaxException {
        String page = Files.readString(PAGE);
        String expected = BEGIN + table() + END;
        if (Boolean.getBoolean("outpost.names.write")) {
            int begin = page.indexOf(BEGIN);
            int end = page.indexOf(END);
            Files.writeString(PAGE, page.substring(0, begin) + expected + page.substring(end + END.length()));
            return;
        }
        assertTrue(
                page.contains(expected),
                "docs/from-pytorch.md has another table of classes: run this test with -Doutpost.names.write=true");
    }

    private static String table() throws IOException, URISyntaxException {
        Map<String, String> rows = new TreeMap<>();
        for (Class<?> type : types(Module.class)) {
            if (Module.class.isAssignableFrom(type) && isUsable(type)) {
                rows.put("nn." + type.getSimpleName(), call(type));
            }
        }
        for (Class<?> type : types(Optimizer.class)) {
            if ((Optimizer.class.isAssignableFrom(type) || type == LBFGS.class) && isUsable(type)) {
                rows.put("optim." + type.getSimpleName(), call(type));
            }
            boolean isSchedule = LearningRateSchedule.class.isAssignableFrom(type) || type == ReduceLROnPlateau.class;
            if (isSchedule && type != SWALR.class && isUsable(type)) {
                rows.put("optim.lr_scheduler." + type.getSimpleName(), call(type));
            }
        }
        listed().forEach((name, member) -> rows.put(name, call(member)));
        return "| PyTorch | Java |\n|---|---|\n"
                + rows.entrySet().stream()
                        .map(row -> "| `" + row.getKey() + "` | `" + row.getValue() + "` |\n")
                        .collect(Collectors.joining());
    }

    private static boolean isUsable(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && !Modifier.isAbstract(type.getModifiers())
                && type.getConstructors().length > 0
                && !OURS.contains(type.getSimpleName());
    }

    /** Returns the top-level classes of the package of a class. */
    private static List<Class<?>> types(Class<?> member) throws IOException, URISyntaxException {
        Path root = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files =
                Files.list(root.resolve(member.getPackageName().replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.contains("-"))
                    .<Class<?>>map(name -> type(member.getPackageName() + "." + name.replace(".class", ""))
                            .orElseThrow())
                    .toList();
        }
    }

    private static Map<String, String> listed() throws IOException {
        try (InputStream list = ClassNamesPageTest.class.getResourceAsStream("/vocabulary/torch-names.txt")) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" "))
                    .collect(Collectors.toMap(words -> words[0], words -> words[1]));
        }
    }

    /** Returns how a program uses a class, or a method {@code package.Class.method}; fails if there is none. */
    private static String call(String member) {
        Optional<Class<?>> type = type(member);
        if (type.isPresent()) {
            return call(type.get());
        }
        int dot = member.lastIndexOf('.');
        Class<?> owner = type(member.substring(0, dot)).orElseThrow(() -> new AssertionError("no class of " + member));
        String name = member.substring(dot + 1);
        Method method = methods(owner)
                .filter(candidate -> candidate.getName().equals(name))
                .min(Comparator.comparing(Method::getParameterCount).thenComparing(Method::toString))
                .orElseThrow(() -> new AssertionError(owner + " has no method " + name));
        return owner.getSimpleName() + "." + name + arguments(method);
    }

    /** Returns the methods that programs call, or that a subclass calls. */
    private static Stream<Method> methods(Class<?> type) {
        return Stream.concat(
                Arrays.stream(type.getMethods()),
                Arrays.stream(type.getDeclaredMethods()).filter(method -> Modifier.isProtected(method.getModifiers())));
    }

    private static String call(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            return type.getSimpleName();
        }
        Constructor<?> shortest = Arrays.stream(type.getConstructors())
                .min(Comparator.<Constructor<?>>comparingInt(Constructor::getParameterCount)
                        .thenComparing(Constructor::toString))
                .orElseThrow(() -> new AssertionError(type + " has no constructor"));
        return "new " + type.getSimpleName() + arguments(shortest);
    }

    private static String arguments(Executable executable) {
        Parameter[] parameters = executable.getParameters();
        return Arrays.stream(parameters)
                .map(parameter -> parameter.getName() + (parameter.isVarArgs() ? ", ..." : ""))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static Optional<Class<?>> type(String name) {
        try {
            return Optional.of(Class.forName(name));
        } catch (ClassNotFoundException ignored) {
            return Optional.empty();
        }
    }
}
