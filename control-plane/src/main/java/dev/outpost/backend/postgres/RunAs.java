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
 * A way to run a program as a user who is not root, which PostgreSQL refuses to be.
 *
 * @param name what the way is called in an error
 * @param prefix the words that go before the program and its arguments
 * @param owner who must own the files of the server; as they are where this is empty
 */
record RunAs(String name, List<String> prefix, Optional<UserPrincipal> owner) {
    private static final String ROOT = "root";
    private static final List<String> UNPRIVILEGED = List.of("postgres", "nobody");
    private static final String INSIDE = "65534";

    RunAs {
        prefix = List.copyOf(prefix);
    }

    /** The ways of the user who runs this, best first: as that user, or away from root by a tool of the system. */
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

    /** Gives the files below the folder to the owner, where there is one. */
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

    /** In a namespace of its own, where root has another number. */
    private static Optional<RunAs> byUnshare(Tools tools, Path folder) throws IOException {
        UserPrincipal root = principal(folder, ROOT).orElseThrow();
        return tools.find("unshare")
                .map(tool -> new RunAs(
                        "unshare",
                        List.of(tool.toString(), "--user", "--map-user=" + INSIDE, "--map-group=" + INSIDE, "--"),
                        Optional.of(root)));
    }

    /** The owner of the folder, unless that is root; else the first of the usual ones. */
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
