package dev.outpost.runtime.cuda.driver;

import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.JCudaDriver;

/** Exposes the driver's pointer to an executable graph, which JCuda makes accessible only to subclasses. */
final class ExecutableGraph extends CUgraphExec {
    ExecutableGraph(CUgraph graph) {
        DriverCheck.check("cuGraphInstantiate", JCudaDriver.cuGraphInstantiate(this, graph, 0));
    }

    long address() {
        return getNativePointer();
    }
}
