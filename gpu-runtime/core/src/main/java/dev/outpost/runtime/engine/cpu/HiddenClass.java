package dev.outpost.runtime.engine.cpu;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandles;
import java.util.function.Consumer;

/** A generated class of this package, which has one instance; it is unloaded when that is collected. */
final class HiddenClass {
    private HiddenClass() {}

    /** The bytes of a class that implements the type by these methods. */
    static byte[] implementing(Class<?> type, ClassDesc self, Consumer<ClassBuilder> methods) {
        return ClassFile.of()
                .build(
                        self,
                        hidden -> methods.accept(hidden.withFlags(ClassFile.ACC_FINAL)
                                .withInterfaceSymbols(ClassDesc.of(type.getName()))
                                .withMethodBody(
                                        INIT_NAME,
                                        MTD_void,
                                        0,
                                        code -> code.aload(0)
                                                .invokespecial(CD_Object, INIT_NAME, MTD_void)
                                                .return_())));
    }

    static <T> T instance(Class<T> type, byte[] bytes) {
        try {
            return type.cast(MethodHandles.lookup()
                    .defineHiddenClass(bytes, true)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a generated loop cannot be instantiated", impossible);
        }
    }
}
