package dev.outpost.client.program;

import dev.outpost.client.record.Storage;

/** Where a call finds the value of an input. */
public sealed interface ProgramInput {

    /** Its name for people; empty where it has none. */
    String name();

    /** For people: its name, or at least what it is. */
    default String label() {
        return name();
    }

    /** The storage of an argument, by the first argument that has it. */
    record Argument(int index) implements ProgramInput {
        @Override
        public String name() {
            return "input " + index;
        }
    }

    /** A storage from outside that the function uses. */
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

    /** The value of a place outside of the program. */
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

    /** The number of the run; the machine knows it. */
    record Iteration() implements ProgramInput {
        @Override
        public String name() {
            return "iteration";
        }
    }
}
