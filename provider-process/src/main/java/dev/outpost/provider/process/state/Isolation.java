package dev.outpost.provider.process.state;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The isolation of a machine's processes from the rest of the host. It is stored in the machine's folder, so that
 * every process that starts the machine uses the same isolation.
 *
 * @param hasView true if the processes are in separate namespaces, where only the listed paths are visible
 * @param user the UID and GID of the processes, if the control plane is root; if empty, the UID and GID of the control plane
 * @param readable paths that the processes see in addition to the paths of the system
 * @param writable folders that the runtime may also write, but a job may not
 */
public record Isolation(boolean hasView, OptionalInt user, List<Path> readable, List<Path> writable) {
    private static final String VIEW = "view ";
    private static final String USER = "user ";
    private static final String READ = "read ";
    private static final String WRITE = "write ";

    public Isolation {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
    }

    /**
     * True if another user needs access through the parent folders of the machine's folder. In a separate view, these
     * parents do not exist.
     */
    boolean needsPassage() {
        return user.isPresent() && !hasView;
    }

    String write() {
        List<String> lines = new ArrayList<>(List.of(VIEW + hasView));
        user.ifPresent(uid -> lines.add(USER + uid));
        readable.forEach(path -> lines.add(READ + path));
        writable.forEach(path -> lines.add(WRITE + path));
        return String.join("\n", lines) + "\n";
    }

    static Isolation read(String text) {
        return new Isolation(
                values(text, VIEW).contains("true"),
                values(text, USER).stream().mapToInt(Integer::parseInt).findFirst(),
                values(text, READ).stream().map(Path::of).toList(),
                values(text, WRITE).stream().map(Path::of).toList());
    }

    private static List<String> values(String text, String key) {
        return text.lines()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()))
                .toList();
    }
}
