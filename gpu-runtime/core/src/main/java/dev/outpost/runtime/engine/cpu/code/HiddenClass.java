package dev.outpost.runtime.engine.cpu.code;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;

/** Defines generated classes. Each of them has one instance, and is unloaded when that instance is collected. */
public final class HiddenClass {
    private HiddenClass() {}

    /** Returns the bytes of a class that implements the type with the given methods. */
    public static byte[] implementing(Class<?> type, ClassDesc self, Consumer<ClassBuilder> methods) {
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

    /**
     * Defines the class and creates its only instance.
     *
     * @param lookup a lookup in the package that the bytes name
     */
    public static <T> T instance(MethodHandles.Lookup lookup, Class<T> type, byte[] bytes) {
        try {
            MethodHandles.Lookup hidden = lookup.defineHiddenClass(bytes, true);
            return type.cast(hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class))
                    .invoke());
        } catch (Throwable impossible) {
            throw new IllegalStateException("a generated loop cannot be instantiated", impossible);
        }
    }
}
