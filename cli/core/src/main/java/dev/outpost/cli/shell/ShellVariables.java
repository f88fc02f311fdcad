package dev.outpost.cli.shell;

import dev.outpost.Tensor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The tensor variables of a JShell. Each declaration is a public static field of a class {@code REPL.$JShell$N}, where N counts the
 * snippets, with a letter behind it after a change.
 */
final class ShellVariables {
    private static final String PREFIX = "REPL.$JShell$";
    /** The number of consecutive snippets without a class, such as imports, after which the search ends. */
    private static final int MAX_GAP = 50;

    private final ClassLoader snippets;
    /** The thread that runs the snippets. */
    private final Thread runner;

    /** @param snippet a class of a snippet */
    ShellVariables(Class<?> snippet, Thread runner) {
        this.snippets = snippet.getClassLoader();
        this.runner = runner;
    }

    /** Returns true while a snippet runs. */
    boolean isRunning() {
        for (StackTraceElement frame : runner.getStackTrace()) {
            if (frame.getClassName().startsWith(PREFIX)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the open tensors by the names of their variables. The latest declaration of a name counts. */
    SequencedMap<String, Tensor> tensors() {
        SequencedMap<String, Tensor> found = new TreeMap<>();
        int missing = 0;
        for (int number = 1; missing < MAX_GAP; number++) {
            boolean isThere = false;
            Class<?> declared = find(PREFIX + number);
            for (char letter = 'B'; declared != null; letter++) {
                isThere = true;
                collect(declared, found);
                declared = find(PREFIX + number + letter);
            }
            missing = isThere ? 0 : missing + 1;
        }
        return found;
    }

    private Class<?> find(String name) {
        try {
            return Class.forName(name, false, snippets);
        } catch (ClassNotFoundException | LinkageError ignored) {
            return null;
        }
    }

    private static void collect(Class<?> declared, SequencedMap<String, Tensor> found) {
        for (Field field : declared.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) || !Modifier.isPublic(field.getModifiers())) {
                continue;
            }
            found.remove(field.getName());
            try {
                if (field.get(null) instanceof Tensor tensor && !tensor.isClosed()) {
                    found.put(field.getName(), tensor);
                }
            } catch (IllegalAccessException | LinkageError ignored) {
                // A class that the shell is about to replace has no readable variables.
            }
        }
    }
}
