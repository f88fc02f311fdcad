package dev.outpost.release;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The arguments of {@code ./outpost release}.
 *
 * @param directory the folder that gets the release; it does not exist yet, or is empty
 * @param key the name of the GnuPG key that signs; empty for a release without signatures
 */
record ReleaseOptions(
        ReleaseVersion version, Path directory, Optional<String> key, boolean isTested, boolean hasImages) {
    static final String USAGE = "./outpost release VERSION DIR [--key NAME] [--without-tests] [--without-images]";

    /** @throws ReleaseException if an argument is unknown or missing */
    static ReleaseOptions parse(List<String> arguments, Path caller) {
        Deque<String> rest = new ArrayDeque<>(arguments);
        List<String> names = new ArrayList<>();
        Optional<String> key = Optional.empty();
        boolean isTested = true;
        boolean hasImages = true;
        while (!rest.isEmpty()) {
            String argument = rest.remove();
            switch (argument) {
                case "--key" -> key = Optional.of(valueOf(argument, rest));
                case "--without-tests" -> isTested = false;
                case "--without-images" -> hasImages = false;
                default -> {
                    if (argument.startsWith("-")) {
                        throw new ReleaseException("release does not know " + argument + ": " + USAGE);
                    }
                    names.add(argument);
                }
            }
        }
        if (names.size() != 2) {
            throw new ReleaseException("release expects a version and a folder: " + USAGE);
        }
        Path directory = caller.resolve(names.getLast()).toAbsolutePath().normalize();
        return new ReleaseOptions(ReleaseVersion.parse(names.getFirst()), directory, key, isTested, hasImages);
    }

    private static String valueOf(String option, Deque<String> rest) {
        if (rest.isEmpty() || rest.peek().startsWith("-")) {
            throw new ReleaseException(option + " expects a value: " + USAGE);
        }
        return rest.remove();
    }
}
