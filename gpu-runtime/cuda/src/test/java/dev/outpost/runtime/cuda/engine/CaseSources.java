package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.cuda.emulation.IdleGpu;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The sources of all kernels that cases need, without compiling them. */
public final class CaseSources {
    private CaseSources() {}

    public static List<String> of(Consumer<Consumer<Case>> cases) {
        return of(new IdleGpu(), cases);
    }

    public static List<String> of(IdleGpu gpu, Consumer<Consumer<Case>> cases) {
        SourceCollector collector = new SourceCollector();
        try (CudaEngine engine = collector.engine(gpu)) {
            cases.accept(run -> launch(engine, run));
        }
        return collector.sources();
    }

    private static void launch(CudaEngine engine, Case run) {
        Instruction instruction = EngineComparison.instruction(run);
        Array[] operands =
                run.operands().stream().map(operand -> on(engine, operand)).toArray(Array[]::new);
        Array[] results = IntStream.range(0, instruction.resultCount())
                .mapToObj(instruction::resultType)
                .map(type -> on(engine, type))
                .toArray(Array[]::new);
        try {
            engine.compile(instruction).run(run.op(), operands, results);
        } catch (OutpostException ignored) {
            // Nothing is counted here, so the count differs from the stated one.
        }
    }

    private static Array on(CudaEngine engine, TestOperand operand) {
        return operand.on(engine);
    }

    private static Array on(CudaEngine engine, TensorType type) {
        return Array.contiguous(engine.allocate(type.dtype(), type.shape().elements()), type.shape());
    }
}
