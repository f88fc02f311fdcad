package dev.outpost.runtime.engine.cpu.code;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.Consumer;

/** The full description of a generated loop: equal sources give equal bytes. */
public sealed interface LoopSource {
    /**
     * A loop that reads and stores one element at a time.
     *
     * @param accesses the accesses of the operands, then of the result
     */
    record Map(Expression expression, List<Access> accesses) implements LoopSource {
        /** Returns the loop as readable text. The generator writes this text together with the code. */
        public String listing() {
            StringBuilder listing = new StringBuilder();
            loopClass(code -> {
                listing.setLength(0);
                listing.append(new MapGenerator(this, code).method());
            });
            return listing.toString();
        }
    }

    /** A loop that folds consecutive elements into one and stores it. */
    record Fold(Binary combine, DType dtype) implements LoopSource {}

    /** Returns the bytes of a class that implements {@link ArrayLoop}. */
    default byte[] generate() {
        return switch (this) {
            case Map map -> loopClass(code -> new MapGenerator(map, code).method());
            case Fold fold -> loopClass(code -> new FoldGenerator(fold, code).method());
        };
    }

    /** Generates the loop and loads it. */
    default ArrayLoop compile() {
        return HiddenClass.instance(MethodHandles.lookup(), ArrayLoop.class, generate());
    }

    private static byte[] loopClass(Consumer<CodeBuilder> run) {
        ClassDesc self = ClassDesc.of(ArrayLoop.class.getPackageName(), "GeneratedLoop");
        MethodTypeDesc type =
                MethodTypeDesc.of(CD_void, CD_Object.arrayType(), CD_int.arrayType(), CD_int.arrayType(), CD_int);
        return HiddenClass.implementing(
                ArrayLoop.class, self, loop -> loop.withMethodBody("run", type, ClassFile.ACC_PUBLIC, run));
    }
}
