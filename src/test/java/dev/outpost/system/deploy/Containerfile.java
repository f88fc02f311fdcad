package dev.outpost.system.deploy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The instructions of a Containerfile, in order, with lines joined and comments left out. */
record Containerfile(List<Instruction> instructions) {

    record Instruction(String keyword, String rest) {
        /** The words of an exec form: {@code ["java", "-version"]}. */
        List<String> words() {
            if (!isExecForm()) {
                throw new AssertionError(keyword + " has no exec form: " + rest);
            }
            return Arrays.stream(rest.substring(1, rest.length() - 1).split(","))
                    .map(String::strip)
                    .map(word -> word.substring(1, word.length() - 1))
                    .toList();
        }

        boolean isExecForm() {
            return rest.startsWith("[\"") && rest.endsWith("\"]");
        }
    }

    static Containerfile parse(String text) {
        List<Instruction> instructions = new ArrayList<>();
        StringBuilder pending = new StringBuilder();
        for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
            pending.append(line.replaceFirst("\\\\$", ""));
            if (!line.endsWith("\\")) {
                add(instructions, pending.toString().strip());
                pending.setLength(0);
            }
        }
        return new Containerfile(instructions);
    }

    private static void add(List<Instruction> instructions, String line) {
        if (!line.isEmpty()) {
            String[] parts = line.split("\\s+", 2);
            instructions.add(new Instruction(parts[0], parts[1].replaceAll("\\s+", " ")));
        }
    }

    List<Instruction> all(String keyword) {
        return instructions.stream()
                .filter(instruction -> instruction.keyword().equals(keyword))
                .toList();
    }

    /** The instructions of the image, from the last FROM on. */
    Containerfile lastStage() {
        return new Containerfile(
                instructions.subList(instructions.lastIndexOf(all("FROM").getLast()), instructions.size()));
    }

    /** The default of a build argument. */
    Optional<String> standard(String argument) {
        return all("ARG").stream()
                .map(Instruction::rest)
                .filter(rest -> rest.startsWith(argument + "="))
                .map(rest -> rest.substring(argument.length() + 1))
                .findFirst();
    }

    /** The only instruction with a command line that holds the words. */
    Instruction running(String words) {
        List<Instruction> found =
                all("RUN").stream().filter(run -> run.rest().contains(words)).toList();
        if (found.size() != 1) {
            throw new AssertionError("expected one RUN with " + words + ", there are " + found);
        }
        return found.getFirst();
    }
}
