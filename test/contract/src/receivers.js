Object.defineProperty(exports, '__esModule', { value: true });
exports.startReceivers = startReceivers;
/** Two webhook receivers: one that accepts everything, one that refuses everything. */
const node_http_1 = require('node:http');
async function answering(status) {
  const server = (0, node_http_1.createServer)((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}
async function startReceivers() {
  const [accepting, refusing] = [await answering(204), await answering(500)];
  return {
    accepting: accepting.url,
    refusing: refusing.url,
    close() {
      for (const { server } of [accepting, refusing]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
