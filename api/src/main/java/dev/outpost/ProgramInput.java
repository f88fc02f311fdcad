package dev.outpost;

import dev.outpost.client.ValueHandle;
import java.util.List;

/** Where a call finds the value of an input. */
sealed interface ProgramInput {

    /** The handle of the value. A tensor that has to be made for it is added to {@code made}. */
    ValueHandle handle(List<Tensor> arguments, List<Tensor> made);

    /** What people call it; empty where it has no name. */
    String name();

    /** For people: its name, or at least what it is. */
    default String label() {
        return name();
    }

    /** The storage of an argument, by the first argument that has it. */
    record Argument(int index) implements ProgramInput {
        @Override
        public ValueHandle handle(List<Tensor> arguments, List<Tensor> made) {
            return arguments.get(index).cell().handle();
        }

        @Override
        public String name() {
            return "input " + index;
        }
    }

    /** A cell from outside that the function uses. */
    record Captured(Cell cell) implements ProgramInput {
        @Override
        public ValueHandle handle(List<Tensor> arguments, List<Tensor> made) {
            return cell.handle();
        }

        @Override
        public String name() {
            return cell.name();
        }

        @Override
        public String label() {
            return cell.label();
        }
    }

    /** The gradient of a variable from outside. */
    record GradientOf(Variable variable) implements ProgramInput {
        @Override
        public ValueHandle handle(List<Tensor> arguments, List<Tensor> made) {
            Tensor gradient = variable.gradient();
            if (gradient.wholeValue() != null) {
                return gradient.cell().handle();
            }
            made.add(GradMode.with(false, gradient::clone));
            return made.getLast().cell().handle();
        }

        @Override
        public String name() {
            String whose = variable.cell().name();
            return whose.isEmpty() ? "" : "gradient of " + whose;
        }

        @Override
        public String label() {
            return "gradient of " + variable.cell().label();
        }
    }

    /** The number of the run; the machine knows it. */
    record Iteration() implements ProgramInput {
        @Override
        public ValueHandle handle(List<Tensor> arguments, List<Tensor> made) {
            throw new IllegalStateException("the machine counts the runs");
        }

        @Override
        public String name() {
            return "iteration";
        }
    }
}
