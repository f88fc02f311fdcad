package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramCode;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.runtime.explain.ExplainableRun;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of a session. It is decoded at the first call with each combination of input types. Throws a {@link MalformedException} if it
 * does not fit these types. A correct client prevents this, because it checks every op when it records it.
 */
public final class LoadedProgram {
    /** The type of the input that holds the number of the iteration. */
    public static final TensorType ITERATION = new TensorType(DType.INT64, Shape.SCALAR);

    private final ProgramCode code;
    private ProgramCall latest;
    private Graph graph;
    private ExplainableRun latestRun;

    public LoadedProgram(ProgramCode code) {
        this.code = code;
        this.latest = ProgramCall.none(code.inputs(), code.signature());
    }

    public ProgramCode code() {
        return code;
    }

    public ProgramSignature signature() {
        return code.signature();
    }

    /** Returns the bindings in the code. They are placeholders: each call binds its own values. */
    public Bindings bindings() {
        return code.segment().bindings();
    }

    /** Records the latest run of the program. */
    public void runs(ExplainableRun run) {
        latestRun = run;
    }

    /** Returns the latest run; null if it never ran. */
    public ExplainableRun latestRun() {
        return latestRun;
    }

    /** Decodes the next call of the program. */
    public ProgramCall next(byte[] call) {
        ProgramCall next = latest.next(call, code.signature());
        latest = next.withoutNumbers();
        return next;
    }

    /** Returns the instructions over inputs of these types, with the scalars that were recorded. */
    public Graph graph(TensorType[] types) {
        if (graph == null || !graph.isOver(types)) {
            graph = read(types);
        }
        return graph;
    }

    private Graph read(TensorType[] types) {
        try {
            Graph read = code.segment().graph(types);
            check(read);
            return read;
        } catch (MalformedException malformed) {
            throw malformed;
        } catch (OutpostException | ArithmeticException failure) {
            throw new MalformedException("the program has an invalid op: " + failure.getMessage());
        }
    }

    private void check(Graph read) {
        for (ProgramSignature.Place place : signature().numbers()) {
            Instruction instruction = read.instructions().get(place.instruction());
            if (place.operand() >= instruction.operandCount()
                    || instruction.operand(place.operand()) != Instruction.IMMEDIATE) {
                throw new MalformedException("a number of a program is no immediate");
            }
        }
        for (int draw : signature().draws()) {
            if (!(read.instructions().get(draw).op() instanceof Random)) {
                throw new MalformedException("a draw of a program draws nothing");
            }
        }
        checkOutputs(read);
    }

    private void checkOutputs(Graph read) {
        TensorType[] outputs = outputs(read);
        for (ProgramSignature.Carry carry : signature().carries()) {
            TensorType taken = read.type(carry.input());
            if (!outputs[carry.output()].equals(taken)) {
                throw new MalformedException("a program carries " + outputs[carry.output()] + " to " + taken);
            }
        }
        if (signature().stop() != ProgramSignature.NONE
                && !outputs[signature().stop()].equals(new TensorType(DType.BOOL, Shape.SCALAR))) {
            throw new MalformedException(
                    "a scan cannot end by " + outputs[signature().stop()]);
        }
    }

    private static TensorType[] outputs(Graph read) {
        List<TensorType> outputs = new ArrayList<>();
        for (int result = 0; result < read.structure().resultCount(); result++) {
            if (read.structure().isKept(result)) {
                outputs.add(read.type(read.structure().inputCount() + result));
            }
        }
        return outputs.toArray(TensorType[]::new);
    }

    /** Returns the instructions with the scalars and random draws of that iteration. */
    public Graph at(Graph base, ProgramCall call, long iteration) {
        return signature().at(base, call, iteration);
    }
}
