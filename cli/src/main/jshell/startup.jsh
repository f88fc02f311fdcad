import dev.outpost.*;
import dev.outpost.types.*;
import dev.outpost.nn.*;
import dev.outpost.nn.Module;
import dev.outpost.optim.*;
import dev.outpost.data.*;
import dev.outpost.io.*;

var machine = RemoteMachine.of("mock", "A100");
System.out.println("Outpost: 'machine' is a mock A100 inside this JVM. Try: machine.randn(3, 3).relu().mean().item()");
