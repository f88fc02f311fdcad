package dev.outpost.support.tests;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** Loads the classes of one package again, as in a new JVM: classes that are generated at their first use are generated again. */
final class FreshClasses extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final String prefix;
    private final Consumer<String> generated;

    /**
     * @param sample a class of the package; classes of other packages come from its loader
     * @param generated called with the name of each requested class of the package that has no file
     */
    FreshClasses(Class<?> sample, Consumer<String> generated) {
        super(sample.getClassLoader());
        this.prefix = sample.getPackageName() + ".";
        this.generated = generated;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isOfPackage(name)) {
            return super.loadClass(name, resolve);
        }
        if (getParent().getResource(file(name)) == null) {
            generated.accept(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }
    }

    private boolean isOfPackage(String name) {
        return name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0;
    }

    private static String file(String name) {
        return name.replace('.', '/') + ".class";
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(file(name))) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = in.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException failure) {
            throw new ClassNotFoundException(name, failure);
        }
    }
}
