//! A Surfpool node on free ports, without a network behind it: the smart account program is deployed on it, its configuration
//! is in place, and the service's fee payer is funded. Prints its two URLs, and ends with its standard input.
//! Arguments: fee payer, program, path of its build, configuration account, its data in hexadecimal.

use std::{env::args, error::Error, io::read_to_string, io::stdin};

use surfpool_sdk::{
    BlockProductionMode, Pubkey, Surfnet,
    cheatcodes::builders::{DeployProgram, SetAccount},
};

const SOL: u64 = 1_000_000_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = args().skip(1).collect();
    let [fee_payer, program, elf, configuration, data] = given.as_slice() else {
        return Err("five arguments are wanted".into());
    };
    let program: Pubkey = program.parse()?;
    let node = Surfnet::builder()
        .block_production_mode(BlockProductionMode::Clock)
        .slot_time_ms(400)
        .airdrop_addresses(vec![fee_payer.parse()?])
        .airdrop_sol(1_000 * SOL)
        .start()
        .await?;
    let place = node.cheatcodes();
    place.deploy(DeployProgram::new(program).so_path(elf))?;
    let bytes = (0..data.len() / 2)
        .map(|at| u8::from_str_radix(&data[2 * at..2 * at + 2], 16))
        .collect::<Result<Vec<u8>, _>>()?;
    let account = SetAccount::new(configuration.parse()?).lamports(SOL).data(bytes).owner(program);
    place.execute(account)?;
    println!("{} {}", node.rpc_url(), node.ws_url());
    read_to_string(stdin())?;
    Ok(())
}
