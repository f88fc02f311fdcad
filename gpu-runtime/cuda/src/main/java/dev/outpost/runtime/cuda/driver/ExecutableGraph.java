package dev.outpost.runtime.cuda.driver;

import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.JCudaDriver;

/** The driver's pointer to a graph that can be launched, which JCuda keeps for its subclasses. */
final class ExecutableGraph extends CUgraphExec {
    ExecutableGraph(CUgraph graph) {
        DriverCheck.check("cuGraphInstantiate", JCudaDriver.cuGraphInstantiate(this, graph, 0));
    }

    long address() {
        return getNativePointer();
    }
}
