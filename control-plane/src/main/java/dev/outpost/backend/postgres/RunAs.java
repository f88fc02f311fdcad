package dev.outpost.backend.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A way to run a program as a user other than root, as which PostgreSQL refuses to run.
 *
 * @param name its name in errors
 * @param prefix the words that go before the program and its arguments
 * @param owner the user who must own the files of the server; if empty, their owner stays
 */
record RunAs(String name, List<String> prefix, Optional<UserPrincipal> owner) {
    private static final String ROOT = "root";
    private static final List<String> UNPRIVILEGED = List.of("postgres", "nobody");
    private static final String INSIDE = "65534";

    RunAs {
        prefix = List.copyOf(prefix);
    }

    /**
     * Returns the ways for the present user, best first: without a change of the user, or, for root, with a system
     * tool that changes the user.
     */
    static List<RunAs> ways(Tools tools, Path folder) throws IOException {
        if (!ROOT.equals(System.getProperty("user.name"))) {
            return List.of(new RunAs("as " + System.getProperty("user.name"), List.of(), Optional.empty()));
        }
        List<RunAs> ways = new ArrayList<>();
        Optional<UserPrincipal> user = unprivileged(folder);
        user.flatMap(found -> bySetpriv(tools, found)).ifPresent(ways::add);
        user.flatMap(found -> byRunuser(tools, found)).ifPresent(ways::add);
        byUnshare(tools, folder).ifPresent(ways::add);
        return ways;
    }

    List<String> command(Path program, String... arguments) {
        return Stream.of(prefix.stream(), Stream.of(program.toString()), Stream.of(arguments))
                .flatMap(words -> words)
                .toList();
    }

    /** Changes the owner of the files in the folder to {@link #owner}, if that is set. */
    void own(Path folder) throws IOException {
        if (owner.isEmpty()) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(owner.get())) {
                    Files.setAttribute(file, "posix:owner", owner.get(), LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
    }

    private static Optional<RunAs> bySetpriv(Tools tools, UserPrincipal user) {
        return tools.find("setpriv")
                .map(tool -> new RunAs(
                        "setpriv as " + user.getName(),
                        List.of(tool.toString(), "--reuid=" + user.getName(), "--init-groups", "--"),
                        Optional.of(user)));
    }

    private static Optional<RunAs> byRunuser(Tools tools, UserPrincipal user) {
        return tools.find("runuser")
                .map(tool -> new RunAs(
                        "runuser as " + user.getName(),
                        List.of(tool.toString(), "-u", user.getName(), "--"),
                        Optional.of(user)));
    }

    /** Runs the program in its own user namespace, in which root has another id. */
    private static Optional<RunAs> byUnshare(Tools tools, Path folder) throws IOException {
        UserPrincipal root = principal(folder, ROOT).orElseThrow();
        return tools.find("unshare")
                .map(tool -> new RunAs(
                        "unshare",
                        List.of(tool.toString(), "--user", "--map-user=" + INSIDE, "--map-group=" + INSIDE, "--"),
                        Optional.of(root)));
    }

    /** Returns the owner of the folder unless it is root, else the first common system user that exists. */
    private static Optional<UserPrincipal> unprivileged(Path folder) throws IOException {
        UserPrincipal owner = Files.getOwner(folder);
        if (!owner.getName().equals(ROOT)) {
            return Optional.of(owner);
        }
        return UNPRIVILEGED.stream()
                .flatMap(name -> principal(folder, name).stream())
                .findFirst();
    }

    private static Optional<UserPrincipal> principal(Path folder, String name) {
        try {
            return Optional.of(
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name));
        } catch (IOException ignored) {
            return Optional.empty();
        }
    }
}
