package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.MalformedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parts of a program that differ from run to run, and the values that one run of a scan passes to the next. Outputs are counted
 * among the results that are kept, in the order in which they are computed.
 *
 * @param numbers the immediates whose numbers change from run to run
 * @param columns the number of different numbers
 * @param draws the instructions that draw random numbers; each run continues the stream where the last one ended
 * @param iterationInput the input that holds the number of the run, int64 from 0; {@link #NONE} for none
 * @param carries the outputs of one run that are inputs of the next
 * @param stop the output, one bool, that ends a scan if it is true; {@link #NONE} for none
 * @param emitted the outputs that each run sends to the client
 * @param bound the outputs that become values of the session after the last run
 */
public record ProgramSignature(
        List<Place> numbers,
        int columns,
        int[] draws,
        int iterationInput,
        List<Carry> carries,
        int stop,
        int[] emitted,
        int[] bound) {
    public static final int NONE = -1;

    /** An immediate that takes its number from a column. */
    public record Place(int instruction, int operand, int column) {}

    /** An output of one run that is an input of the next. */
    public record Carry(int input, int output) {}

    void write(ByteWriter out) {
        out.varint(columns);
        out.varint(numbers.size());
        for (Place place : numbers) {
            out.varint(place.instruction);
            out.varint(place.operand);
            out.varint(place.column);
        }
        write(out, draws);
        out.varint(iterationInput + 1L);
        out.varint(carries.size());
        for (Carry carry : carries) {
            out.varint(carry.input);
            out.varint(carry.output);
        }
        out.varint(stop + 1L);
        write(out, emitted);
        write(out, bound);
    }

    private static void write(ByteWriter out, int[] values) {
        out.varint(values.length);
        for (int value : values) {
            out.varint(value);
        }
    }

    static ProgramSignature read(ByteReader in, StructureCode structure) {
        return new Reading(in, structure).signature();
    }

    /** Returns the number of values of the session that a run takes, for a program with that many inputs. */
    public int boundInputs(int inputs) {
        return iterationInput == NONE ? inputs : inputs - 1;
    }

    /**
     * Returns the instructions of a program with the numbers and draws of one run of a call.
     *
     * @param recorded the instructions with the numbers that were recorded
     */
    public Graph at(Graph recorded, ProgramCall call, long iteration) {
        Map<Integer, Instruction> changed = new TreeMap<>();
        for (Place place : numbers) {
            Instruction before = changed.getOrDefault(
                    place.instruction(), recorded.instructions().get(place.instruction()));
            changed.put(
                    place.instruction(), before.withImmediate(place.operand(), call.number(place.column(), iteration)));
        }
        for (int draw = 0; draw < draws.length; draw++) {
            Instruction before = recorded.instructions().get(draws[draw]);
            long number = call.firstDraw() + iteration * draws.length + draw;
            changed.put(draws[draw], before.withOp(((Random) before.op()).at(call.seed(), number)));
        }
        return recorded.with(List.copyOf(changed.values()));
    }

    /** Reads a signature. References are checked here. Checks that need types are made with the instructions. */
    private record Reading(ByteReader in, StructureCode structure) {
        ProgramSignature signature() {
            int columns = in.smallInt("number count");
            Place[] numbers = new Place[in.count("number places", 3)];
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] = new Place(
                        below("instruction", structure.instructionCount()),
                        in.smallInt("operand"),
                        below("number", columns));
            }
            if (columns > numbers.length) {
                throw new MalformedException("a program has " + columns + " numbers at " + numbers.length + " places");
            }
            int[] draws = list("instruction", structure.instructionCount());
            int iterationInput = below("input", structure.inputCount() + 1) - 1;
            Carry[] carries = new Carry[in.count("carry count", 2)];
            boolean[] carried = new boolean[structure.inputCount()];
            for (int index = 0; index < carries.length; index++) {
                carries[index] =
                        new Carry(below("input", structure.inputCount()), below("output", structure.outputCount()));
                if (carried[carries[index].input] || carries[index].input == iterationInput) {
                    throw new MalformedException("input " + carries[index].input + " of a program is carried twice");
                }
                carried[carries[index].input] = true;
            }
            int stop = below("output", structure.outputCount() + 1) - 1;
            int[] emitted = list("output", structure.outputCount());
            int[] bound = list("output", structure.outputCount());
            return new ProgramSignature(
                    List.of(numbers), columns, draws, iterationInput, List.of(carries), stop, emitted, bound);
        }

        private int[] list(String what, int max) {
            int[] values = new int[in.count(what + " count", 1)];
            if (values.length > max) {
                throw new MalformedException(
                        "a program names " + values.length + " times one of " + max + " " + what + "s");
            }
            for (int index = 0; index < values.length; index++) {
                values[index] = below(what, max);
            }
            return values;
        }

        private int below(String what, int max) {
            int value = in.smallInt(what);
            if (value >= max) {
                throw new MalformedException("a program names " + what + " " + value + " of " + max);
            }
            return value;
        }
    }
}
