import dev.outpost.*;
import dev.outpost.autograd.*;
import dev.outpost.data.*;
import dev.outpost.io.*;
import dev.outpost.linalg.*;
import dev.outpost.nn.*;
import dev.outpost.nn.Module;
import dev.outpost.ops.*;
import dev.outpost.optim.*;
import dev.outpost.source.*;
import dev.outpost.stats.*;
import dev.outpost.types.*;

var machine = RemoteMachine.of("mock", "A100");
System.out.println("Outpost: 'machine' is a mock A100 inside this JVM. Try: machine.randn(3, 3).relu().mean().item()");
