-- Through which relay (host:port) clients reach the machines of a cluster; where there is none, they connect to the machines.
ALTER TABLE clusters ADD COLUMN relay text;
