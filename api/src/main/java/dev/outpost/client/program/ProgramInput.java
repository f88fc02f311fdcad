package dev.outpost.client.program;

import dev.outpost.client.record.Storage;

/** The source from which a call takes the value of an input. */
public sealed interface ProgramInput {

    /** Returns the name in messages; empty if it has none. */
    String name();

    /** Returns the name in messages, or else a description. */
    default String label() {
        return name();
    }

    /** The storage of an argument. If several arguments share it, {@code index} is the first. */
    record Argument(int index) implements ProgramInput {
        @Override
        public String name() {
            return "input " + index;
        }
    }

    /** A storage that the function uses without getting it as an argument. */
    record Captured(Storage storage) implements ProgramInput {
        @Override
        public String name() {
            return storage.handle().label();
        }

        @Override
        public String label() {
            return storage.handle().describe();
        }
    }

    /** The tensor of a place outside of the program. */
    record Kept(TensorRef<?> place) implements ProgramInput {
        @Override
        public String name() {
            return place.name();
        }

        @Override
        public String label() {
            return place.label();
        }
    }

    /** The number of the run, which the machine knows. */
    record Iteration() implements ProgramInput {
        @Override
        public String name() {
            return "iteration";
        }
    }
}
