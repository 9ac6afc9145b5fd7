export default { attributes: {} };
