package dev.outpost.system.documents;

import java.lang.reflect.InvocationTargetException;

/** Runs scripts of pages in a process of its own, whose working folder is empty. */
final class PageRunner {
    static final String PASSED = "page passed: ";
    static final String FAILED = "page failed: ";

    private PageRunner() {}

    /** @param names the classes of the scripts */
    public static void main(String[] names) throws ReflectiveOperationException {
        for (String name : names) {
            try {
                Class.forName("pages." + name).getMethod("run").invoke(null);
                System.out.println(PASSED + name);
            } catch (InvocationTargetException failure) {
                System.out.println(FAILED + name);
                failure.getCause().printStackTrace(System.out);
            }
        }
    }
}
