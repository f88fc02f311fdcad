package dev.outpost.examples;

import dev.outpost.RemoteMachine;
import java.util.Arrays;
import java.util.List;

/**
 * The arguments of the examples: none, or the provider and the GPU of the machine, and numbers.
 *
 * @param names the provider and the GPU; none for the machine that {@link RemoteMachine#open()} chooses
 * @param more the further arguments
 */
record ExampleArguments(List<String> names, String... more) {

    static ExampleArguments of(String[] args) {
        int names = Math.min(2, args.length);
        return new ExampleArguments(List.of(Arrays.copyOf(args, names)), Arrays.copyOfRange(args, names, args.length));
    }

    RemoteMachine machine() {
        return names.isEmpty()
                ? RemoteMachine.open()
                : RemoteMachine.of(names.getFirst(), names.size() > 1 ? names.get(1) : "any");
    }

    /** Returns a number among the further arguments. */
    int number(int index, int otherwise) {
        return index < more.length ? Integer.parseInt(more[index]) : otherwise;
    }

    /** Returns a text among the further arguments. */
    String text(int index, String otherwise) {
        return index < more.length ? more[index] : otherwise;
    }
}
