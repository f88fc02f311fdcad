package dev.outpost.examples;

import dev.outpost.RemoteMachine;
import java.util.Arrays;

/**
 * The arguments of the examples.
 *
 * @param provider the provider of the machine
 * @param gpu the model of the GPU
 * @param more the further arguments
 */
record ExampleArguments(String provider, String gpu, String... more) {

    static ExampleArguments of(String[] args) {
        String[] more = args.length > 2 ? Arrays.copyOfRange(args, 2, args.length) : new String[0];
        return new ExampleArguments(args.length > 0 ? args[0] : "mock", args.length > 1 ? args[1] : "A100", more);
    }

    RemoteMachine machine() {
        return RemoteMachine.of(provider, gpu);
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
