package dev.outpost.runtime.cuda.driver;

import dev.outpost.runtime.cuda.library.CudaCheck;
import jcuda.driver.JCudaDriver;

/** Checks the results of the driver's calls. */
final class DriverCheck {
    private static final CudaCheck CHECK = new CudaCheck(DriverCheck::text);

    private DriverCheck() {}

    static void check(String call, int code) {
        CHECK.check(call, code);
    }

    private static String text(int code) {
        String[] name = {null};
        String[] sentence = {null};
        JCudaDriver.cuGetErrorName(code, name);
        JCudaDriver.cuGetErrorString(code, sentence);
        return name[0] == null ? "the driver does not know this code" : name[0] + ", " + sentence[0];
    }
}
