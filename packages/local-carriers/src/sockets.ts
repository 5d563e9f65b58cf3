import type { Server, Socket } from 'node:net';

/** Tracks the open connections of a server, so that one or all can be closed. */
export function socketsOf(server: Server) {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    breakFrom(remotePort: number): void {
      for (const socket of open) if (socket.remotePort === remotePort) socket.destroy();
    },
    breakAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
